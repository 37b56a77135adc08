import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../../../../src/endpoints/verl/jobSupervision.ts';
import { openCluster } from '../../../../src/endpoints/verl/launchers/openCluster.ts';
import type { JobSpec } from '../../../../src/endpoints/verl/launchers/launcher.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { FakeRay } from '../../../support/ray/fakeRay.ts';
import { FakeSsh } from '../../../support/ray/fakeSsh.ts';
import { needsPython } from '../../../support/ray/python.ts';
import { until } from '../../../support/until.ts';
import { authorization } from '../../../../src/launch/access/keys.ts';

/** As every job's script begins and ends. */
const script = (body: string): string => `cd "$(dirname "$0")"
echo "$$ $(echo $(ps -o lstart= -p $$))" > pid
trap 'echo $? > exit' EXIT
trap 'exit 143' TERM
${body}
`;

describe('where jobs run', function () {
  this.timeout(240_000);
  const never = new AbortController().signal;
  const time = new FastTime(20);
  let workdir = '';
  let ray: FakeRay;
  let ssh: FakeSsh;

  before(function () {
    needsPython(this);
  });
  beforeEach(async () => {
    workdir = mkdtempSync(join(tmpdir(), 'genenv-launch-'));
    ray = await new FakeRay().start();
    ssh = new FakeSsh();
  });
  afterEach(async () => {
    ssh.remove();
    await ray.stop();
    rmSync(workdir, { recursive: true, force: true });
  });

  const cluster = (url: string, key: string | null = null): Pick<Cluster, 'launcher' | 'files'> =>
    openCluster(
      { url, workdir, mount: null },
      { time, proof: () => Promise.resolve(key === null ? {} : authorization(key)) },
    );
  const job = (name: string): JobSpec => ({
    ...{ id: `genenv-r-${name}`, folder: join(workdir, 'a folder', name) },
    ...{ environment: { GREETING: "it's $HOME" }, about: { epoch: '1' } },
  });

  const places = {
    'a Ray cluster': () => ray.url,
    'a machine behind SSH': () => 'ssh://me@far:2222',
    'this machine': () => 'local:',
  };
  for (const [name, url] of Object.entries(places)) {
    describe(name, () => {
      const begin = async (of: JobSpec, body: string): Promise<Pick<Cluster, 'launcher' | 'files'>> => {
        const there = cluster(url());
        await there.files.write(join(of.folder, 'job.sh'), script(body));
        await there.launcher.submit(of, never);
        return there;
      };
      const state = async (of: JobSpec) => (await cluster(url()).launcher.status(of, never))?.state ?? 'unknown';
      const comes = (of: JobSpec, wanted: string) => until(wanted, async () => (await state(of)) === wanted, 20);

      it('runs a job once, tells its state, its log and its end to whoever asks', async () => {
        const one = job('e1');
        assert.equal(await state(one), 'unknown');
        const { launcher } = await begin(one, 'echo "$GREETING"; while [ ! -f go ]; do sleep 0.05; done; echo done');
        await launcher.submit(one, never);
        await comes(one, 'running');
        await until('its log', async () => (await launcher.log(one, 0, never)).includes("it's $HOME"));
        assert.equal(await cluster(url()).launcher.log(one, 5, never), '$HOME\n');
        await cluster(url()).files.write(join(one.folder, 'go'), '');
        await comes(one, 'done');
        assert.equal((await launcher.status(one, never))?.exitCode, 0);
        assert.equal(await launcher.log(one, 0, never), "it's $HOME\ndone\n");
        await launcher.stop(one, never);
        assert.equal(await state(one), 'done');
      });

      it('tells how a job failed', async () => {
        const one = job('e2');
        const { launcher } = await begin(one, 'echo oh no >&2; exit 7');
        await comes(one, 'failed');
        assert.equal((await launcher.status(one, never))?.exitCode, 7);
        assert.equal(await launcher.log(one, 0, never), 'oh no\n');
      });

      it('stops a job with everything that it began', async () => {
        const one = job('e3');
        const { launcher } = await begin(one, 'sleep 300 & echo $! > child; wait');
        await comes(one, 'running');
        const child = await until('a child', () => numberIn(join(one.folder, 'child')));
        await launcher.stop(one, never);
        await comes(one, 'stopped');
        await until('the end of the child', () => !lives(child));
      });
    });
  }

  it('says that a process has vanished', async () => {
    const one = job('e4');
    const { launcher, files } = cluster('local:');
    await files.write(join(one.folder, 'job.sh'), script('sleep 300'));
    await launcher.submit(one, never);
    const pid = await until('a process', () => numberIn(join(one.folder, 'pid')));
    process.kill(-pid, 'SIGKILL');
    await until('that it is seen', async () => (await launcher.status(one, never))?.state === 'failed');
    const gone = await launcher.status(one, never);
    assert.deepEqual(
      [gone?.exitCode, gone?.message],
      [null, 'Its process is gone: it was killed, or the machine was restarted.'],
    );
    // Another process may have its number by now.
    writeFileSync(join(one.folder, 'pid'), `${process.pid} Thu Jan 1 00:00:00 1970\n`);
    assert.equal((await launcher.status(one, never))?.state, 'failed');
  });

  it('says what is wrong with a machine behind SSH', async () => {
    assert.match(await cluster('ssh://me@far:2222').launcher.check(never), /^Python 3/);
    assert.match(ssh.calls, /-o BatchMode=yes .*-p 2222 -- me@far bash -c/);
    await assert.rejects(cluster('ssh://me@elsewhere').launcher.check(never), {
      reason: 'unreachable',
      message: /Could not resolve hostname.*ssh -- me@elsewhere true/,
    });
    process.env['PATH'] = join(workdir, 'nothing');
    await assert.rejects(cluster('ssh://me@far').launcher.check(never), {
      reason: 'unable',
      message: /ssh cannot be run/,
    });
  });

  it('has files on the far side of SSH', async () => {
    const { files } = cluster('ssh://me@far');
    const file = join(workdir, "it's", 'ü.txt');
    await files.write(file, Buffer.from([0, 10, 255, 39]));
    assert.deepEqual([...((await files.read(file)) ?? [])], [0, 10, 255, 39]);
    assert.deepEqual([...((await files.read(file, 2)) ?? [])], [255, 39]);
    assert.equal((await files.read(file, 4))?.length, 0);
    assert.equal(await files.read(`${file}.none`), null);
    assert.deepEqual(await files.list(join(workdir, "it's")), ['ü.txt']);
    assert.deepEqual(await files.list(join(workdir, 'none')), []);
    await assert.rejects(files.write(join(file, 'below'), ''), { reason: 'failed' });
  });

  it('is refused by Ray as a browser is, and not as we are', async () => {
    const body = JSON.stringify({
      entrypoint: 'true',
      submission_id: 'x',
      runtime_env: { env_vars: {} },
      metadata: {},
    });
    const asBrowser = await fetch(`${ray.url}/api/jobs/`, { method: 'POST', body });
    assert.deepEqual([asBrowser.status, await asBrowser.text()], [405, 'Method Not Allowed for browser traffic.']);
    assert.equal(await cluster(ray.url).launcher.check(never), 'Ray 2.52.0');
    const one = job('e5');
    const { launcher, files } = cluster(ray.url);
    await files.write(join(one.folder, 'job.sh'), script('true'));
    await launcher.submit(one, never);
    assert.equal(ray.calls.at(-1), 'POST /api/jobs/');
    assert.deepEqual(ray.jobs.get(one.id)?.submission.metadata, { epoch: '1' });
  });

  it('says what token Ray wants', async () => {
    ray.token = 'sesame';
    const none = cluster(ray.url).launcher.check(never);
    await assert.rejects(none, { reason: 'credentials', status: 401, message: /it wants a token.*ray get-auth-token/ });
    const wrong = cluster(ray.url, 'open').launcher.check(never);
    await assert.rejects(wrong, { reason: 'credentials', status: 403, message: /does not accept this token/ });
    await assert.rejects(wrong, (error: Error) => !error.message.includes('open '));
    assert.equal(await cluster(ray.url, 'sesame').launcher.check(never), 'Ray 2.52.0');
  });

  it('passes on what Ray says in plain text', async () => {
    const one = { ...job('e6'), about: {} };
    const { launcher, files } = cluster(ray.url);
    await files.write(join(one.folder, 'job.sh'), script('sleep 5'));
    ray.loses = /^POST/;
    await launcher.submit(one, never);
    assert.deepEqual(ray.submissions, [one.id]);
    assert.equal(await launcher.log({ id: 'unknown', folder: '' }, 0, never), '');
    assert.equal(await launcher.status({ id: 'unknown', folder: '' }, never), null);
    await launcher.stop({ id: 'unknown', folder: '' }, never);
  });
});

function numberIn(path: string): number | undefined {
  try {
    const number = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isNaN(number) ? undefined : number;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function lives(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
    .stdout.toString()
    .trim();
  return state !== '' && !state.startsWith('Z');
}
