/** Our client of the Jobs API against a real Ray head: token, browser guard, logs, stop, jobs found again, a head that forgot. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EndpointError } from '../../src/endpoints/endpointError.ts';
import { NodeHttpClient } from '../../src/endpoints/http/nodeHttpClient.ts';
import { machineTime } from '../../src/endpoints/time.ts';
import type { JobStatus } from '../../src/endpoints/verl/launchers/launcher.ts';
import { RayLauncher } from '../../src/endpoints/verl/launchers/rayLauncher.ts';
import { freePort } from '../support/peers/freePort.ts';
import { peerPython } from '../support/peers/pythons.ts';
import { RealRay } from '../support/peers/realRay.ts';
import { skip } from '../support/skip.ts';
import { eventually } from '../support/until.ts';

const token = 'a-token-of-this-test-0123456789abcdef';
const { signal } = new AbortController();
const about = { run: 'r1' };

describe('jobs on a real Ray head', function () {
  this.timeout(300_000);
  let dir = '';
  let ray: RealRay | null = null;
  let start: () => Promise<RealRay> = () => assert.fail('Ray is not there');
  before(async function () {
    this.timeout(2_400_000);
    const found = await peerPython('ray');
    if ('why' in found) skip(this, `Ray cannot be installed: ${found.why}`);
    dir = await mkdtemp(join(tmpdir(), 'gpr-'));
    const ports = [await freePort(), await freePort()] as const;
    start = () => RealRay.start(found.python, { dir, token, ports });
    ray = await start();
  });
  after(async () => {
    await ray?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  function launcher(key: string | null = token): RayLauncher {
    const url = ray?.url ?? assert.fail('no head');
    const credentials = (): Promise<Record<string, string>> =>
      Promise.resolve(key === null ? {} : { authorization: `Bearer ${key}` });
    return new RayLauncher(new NodeHttpClient({ url, time: machineTime, credentials }), machineTime);
  }

  async function job(id: string, script: string): Promise<{ id: string; folder: string }> {
    const folder = join(dir, id);
    await mkdir(folder);
    await writeFile(join(folder, 'job.sh'), script);
    return { id, folder };
  }

  const states = (wanted: JobStatus['state'], place: { id: string; folder: string }): Promise<void> =>
    eventually(async () => assert.equal((await launcher().status(place, signal))?.state, wanted), 60);

  it('says which Ray it is', async () => assert.equal(await launcher().check(signal), 'Ray 2.60.0'));

  it('tells a missing token from a wrong one, and where to get it', async () => {
    for (const [key, said] of [
      [null, /it wants a token/],
      ['another-token-0123456789abcdef0123', /does not accept this token/],
    ] as const) {
      await assert.rejects(launcher(key).check(signal), (error) => {
        assert(EndpointError.is(error, 'credentials'));
        assert.match(error.message, said);
        return true;
      });
    }
  });

  it('is refused what a browser’s page would send', async () => {
    const url = `${ray?.url ?? ''}/api/jobs/`;
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0',
    };
    const { status } = await fetch(url, { method: 'POST', headers, body: '{"entrypoint": "true"}' });
    assert(status >= 400 && status < 600, `${status}`);
  });

  it('runs a job once, with its environment, however often it is submitted', async () => {
    const place = await job('once', 'echo "begun $WORD" | tee -a "$(dirname "$0")/begun"\n');
    const spec = { ...place, environment: { WORD: 'rice beans' }, about };
    await launcher().submit(spec, signal);
    await launcher().submit(spec, signal);
    await states('done', place);
    await launcher().submit(spec, signal);
    assert.equal(await readFile(join(place.folder, 'begun'), 'utf8'), 'begun rice beans\n');
    const log = await launcher().log(place, 0, signal);
    assert.match(log, /begun rice beans/);
    const from = Buffer.from(log).indexOf('beans');
    assert.equal((await launcher().log(place, from, signal)).split('\n')[0], 'beans');
  });

  it('tells how a job failed', async () => {
    const place = await job('failing', 'echo "no such thing" >&2\nexit 3\n');
    await launcher().submit({ ...place, environment: {}, about }, signal);
    await states('failed', place);
    const status = await launcher().status(place, signal);
    assert.equal(status?.exitCode, 3);
    assert.match(await launcher().log(place, 0, signal), /no such thing/);
  });

  it('sends a job’s log as it is printed, every line once, to each client that attaches', async () => {
    const go = join(dir, 'go');
    const place = await job(
      'printing',
      `for i in $(seq 1 45); do echo "line $i für"; done\nuntil [ -e ${go} ]; do sleep 0.2; done\necho last\nprintf unended\n`,
    );
    await launcher().submit({ ...place, environment: {}, about }, signal);
    await states('running', place);
    const first = new AbortController();
    const pieces: Buffer[] = [];
    const had = (): string => Buffer.concat(pieces).toString();
    const left = assert.rejects(async () => {
      for await (const piece of launcher().follow(place, Buffer.alloc(0), first.signal)) {
        pieces.push(piece);
        if (had().includes('line 45')) first.abort(new Error('This process ends.'));
      }
    }, /This process ends/);
    await left;
    const rest = Array.fromAsync(launcher().follow(place, Buffer.concat(pieces), signal));
    await writeFile(go, '');
    const all = Buffer.concat([...pieces, ...(await rest)]).toString();
    assert.equal(all, await launcher().log(place, 0, signal));
    const lines = all.split('\n').filter((line) => line.startsWith('line '));
    assert.deepEqual(
      lines,
      Array.from({ length: 45 }, (_, i) => `line ${i + 1} für`),
    );
    assert.match(all, /last\nunended$/);
    // Of a job that is over, all of it.
    const again = await Array.fromAsync(launcher().follow(place, Buffer.alloc(0), signal));
    assert.equal(Buffer.concat(again).toString(), all);
  });

  it('sends no log without the token, nor of a job that it does not know', async () => {
    const place = { id: 'printing', folder: join(dir, 'printing') };
    const leaving = new AbortController();
    const refused = Array.fromAsync(
      launcher('another-token-0123456789abcdef0123').follow(place, Buffer.alloc(0), leaving.signal),
    );
    setTimeout(() => leaving.abort(new Error('Enough.')), 5_000);
    await assert.rejects(refused, /Enough/);
    const unknown = launcher().follow({ id: 'unknown', folder: dir }, Buffer.alloc(0), signal);
    assert.deepEqual(await Array.fromAsync(unknown), []);
  });

  it('finds a job again and stops it; a head that was started anew knows it no longer', async () => {
    const place = await job('long', 'echo waiting\nsleep 600\n');
    await launcher().submit({ ...place, environment: {}, about }, signal);
    await states('running', place);
    // Another process of ours: nothing is kept but the id.
    await eventually(async () => assert.match(await launcher().log(place, 0, signal), /waiting/), 30);
    await launcher().stop(place, signal);
    await states('stopped', place);
    await launcher().stop(place, signal);

    await ray?.stop();
    ray = await start();
    assert.equal(await launcher().status(place, signal), null);
    assert.equal(await launcher().log(place, 0, signal), '');
    await launcher().stop(place, signal);
  });
});
