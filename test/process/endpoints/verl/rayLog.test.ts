/** A job's log by Ray's WebSocket: every byte once, whatever happens on the way. */
import assert from 'node:assert/strict';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { RayLauncher } from '../../../../src/endpoints/verl/launchers/rayLauncher.ts';
import { authorization } from '../../../../src/launch/access/keys.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { FakeRay } from '../../../support/ray/fakeRay.ts';
import { frame, type TailFault } from '../../../support/ray/fakeTail.ts';
import { until } from '../../../support/until.ts';

const place = { id: 'job 1', folder: '/tmp/job' };
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `step:${from + i} - für immer\n`).join('');

describe('a job’s log by Ray’s WebSocket', function () {
  this.timeout(60_000);
  const time = new FastTime(200);
  const never = new AbortController().signal;
  let ray: FakeRay;
  let job: ReturnType<FakeRay['put']>;
  const launchers: RayLauncher[] = [];

  beforeEach(async () => {
    ray = await new FakeRay().start();
    job = ray.put(place.id);
  });
  afterEach(async () => {
    for (const launcher of launchers.splice(0)) launcher.close();
    await ray.stop();
  });

  function launcher(key: string | null = null): RayLauncher {
    const credentials = () => Promise.resolve(key === null ? {} : authorization(key));
    const made = new RayLauncher(new NodeHttpClient({ url: ray.url, time, credentials }), time);
    launchers.push(made);
    return made;
  }

  /** Follows until the end. `text` grows meanwhile. */
  function following({
    known = '',
    key = null,
    signal = never,
  }: { known?: string; key?: string | null; signal?: AbortSignal } = {}) {
    const got = { text: '', pieces: 0 };
    const end = (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of launcher(key).follow(place, Buffer.from(known), signal)) {
        pieces.push(piece);
        got.text = Buffer.concat(pieces).toString();
        got.pieces += 1;
      }
      return got.text;
    })();
    // Some tests look at it later.
    end.catch(() => undefined);
    return { got, end };
  }
  const attachments = (): number => ray.calls.filter((call) => call === 'WS /api/jobs/job%201/logs/tail').length;
  const finish = (): void => void (job.status = 'SUCCEEDED');

  it('comes as it is printed, and ends with the job', async () => {
    job.log = lines(0, 25);
    const { got, end } = following();
    await until('what was printed', () => got.text === lines(0, 25));
    assert.equal(got.pieces, 3);
    job.log += lines(25, 30);
    await until('what is printed', () => got.text === lines(0, 30));
    job.log += 'a last word without a line’s end';
    finish();
    assert.equal(await end, job.log);
    assert.deepEqual([attachments(), ray.calls.filter((call) => call.endsWith('/logs')).length], [1, 0]);
  });

  const passing: Record<string, TailFault[]> = {
    'is cut': [{ cutAfter: 0 }, { cutAfter: 2 }, { cutAfter: 1 }, { cutAfter: 4 }],
    'is closed while the job runs': [{ closesAfter: 1 }, { closesAfter: 3 }],
    'comes in pieces, with pings': ['in pieces'],
    'is refused for now': [{ refused: 503 }, { refused: 429 }, { refused: 502 }, { cutAfter: 3 }],
  };
  for (const [name, faults] of Object.entries(passing)) {
    it(`comes whole and once where the connection ${name}`, async () => {
      ray.tailFaults.push(...faults);
      job.log = lines(0, 47);
      const { got, end } = following();
      await until('the whole', () => got.text.length >= job.log.length, 20);
      job.log += lines(47, 60);
      finish();
      assert.equal(await end, lines(0, 60));
    });
  }

  it('continues where an earlier process stopped, even inside a character', async () => {
    job.log = lines(0, 12);
    finish();
    const all = Buffer.from(job.log);
    const half = all.indexOf('ü') + 1;
    const rest = await Array.fromAsync(launcher().follow(place, all.subarray(0, half), never));
    assert(Buffer.concat(rest).equals(all.subarray(half)));
    assert.equal(await following({ known: job.log }).end, '');
  });

  it('is no longer followed when its beginning has changed', async () => {
    job.log = lines(0, 12);
    await assert.rejects(following({ known: lines(1, 11) }).end, {
      name: 'LogUnfollowed',
      message: /no longer begins/,
    });
    ray.tailFaults.push({ cutAfter: 1 }, 'another');
    const { got, end } = following();
    await assert.rejects(end, { name: 'LogUnfollowed' });
    assert.equal(got.text, lines(0, 10));
  });

  const lasting: Record<string, [fault: TailFault, why: RegExp]> = {
    'an old head': [{ refused: 400 }, /status 400 instead of a WebSocket/],
    'a proxy that takes the question for another': [{ refused: 200 }, /status 200 instead/],
    'bytes that are no frames': [
      { bytes: Buffer.from('HTTP/1.1 200 OK\r\n\r\n') },
      /what it sent is a (?:frame of an extension|masked)/,
    ],
    'binary messages': [{ bytes: frame(2, Buffer.from('step')) }, /what it sent is bytes where text was expected/],
    'a message without an end': [
      { bytes: Buffer.concat([Buffer.from([0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]), Buffer.alloc(1000)]) },
      /more than 4194304 bytes/,
    ],
  };
  for (const [name, [fault, why]] of Object.entries(lasting)) {
    it(`is left to be asked for: ${name}`, async () => {
      job.log = lines(0, 3);
      ray.tailFaults.push(fault);
      await assert.rejects(following().end, { name: 'LogUnfollowed', message: why });
      assert.equal(attachments(), 1);
      assert.equal(await launcher().log(place, 0, never), job.log);
    });
  }

  it('needs the token that every request needs', async () => {
    ray.token = 'a token';
    job.log = lines(0, 3);
    finish();
    assert.equal(await following({ key: 'a token' }).end, lines(0, 3));
    const leaving = new AbortController();
    const { got, end } = following({ key: 'another', signal: leaving.signal });
    await until('a second try', () => attachments() > 2);
    leaving.abort(new Error('Enough.'));
    await assert.rejects(end, /Enough/);
    assert.equal(got.text, '');
  });

  it('comes on from a head that was away, and ends with one that knows the job no longer', async () => {
    job.log = lines(0, 5);
    const { got, end } = following();
    await until('the beginning', () => got.text === lines(0, 5));
    await ray.away();
    job.log += lines(5, 9);
    await ray.start();
    await until('the rest', () => got.text === lines(0, 9));
    await ray.away();
    ray.forget({ kill: true });
    await ray.start();
    await end;
    assert.equal(got.text, lines(0, 9));
  });

  it('stops with the run, and with the launcher, wherever it is', async () => {
    job.log = lines(0, 5);
    const leaving = new AbortController();
    const { got, end } = following({ signal: leaving.signal });
    await until('the beginning', () => got.text !== '');
    leaving.abort(new Error('Paused.'));
    await assert.rejects(end, /Paused/);
    const other = following();
    await until('the beginning', () => other.got.text !== '');
    for (const made of launchers) made.close();
    await assert.rejects(other.end, /The client is closed/);
  });
});
