import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import * as z from 'zod';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { BrokenExchange } from '../../../../src/endpoints/http/exchange.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../../../../src/endpoints/http/httpClient.ts';
import { ByteRoom } from '../../../../src/endpoints/tinker/byteRoom.ts';
import { jsonOf } from '../../../../src/endpoints/http/json.ts';
import { isJson } from '../../../../src/endpoints/tinker/wire/resultIn.ts';
import { Futures } from '../../../../src/endpoints/tinker/futures.ts';

const pollSchema = z.object({ request_id: z.string(), allow_metadata_only: z.boolean() });

type Step =
  | { status: number; body?: unknown; text?: string; type?: string; headers?: Record<string, string> }
  | 'unreachable'
  | 'late'
  | 'malformed';

/** A server with scripted answers to polls, which it records. */
function scripted(steps: Step[]) {
  const polls: HttpRequest[] = [];
  const http: HttpClient = {
    url: 'http://server',
    async send(request) {
      await Promise.resolve();
      polls.push(request);
      const step = steps.shift();
      if (step === undefined) throw new Error('Polled more often than expected.');
      if (typeof step === 'string') {
        const facts = { endpoint: 'http://server', request: 'poll', attempts: 1, remedy: '' };
        const cause = step === 'late' ? new BrokenExchange('late', 'no answer') : undefined;
        throw new EndpointError(step === 'late' ? 'unreachable' : step, step, { ...facts, cause });
      }
      const body = Buffer.from(step.text ?? JSON.stringify(step.body ?? {}));
      const answer: HttpAnswer = {
        status: step.status,
        body,
        headers: { 'content-type': step.type ?? 'application/json', ...step.headers },
      };
      return answer;
    },
    repeat: () => Promise.reject(new Error('Polls are sent.')),
    closed: new AbortController().signal,
    close: () => undefined,
  };
  return { http, polls };
}

/** @param lateShare of its time limit that each poll takes */
async function resolve(steps: Step[], room = new ByteRoom(1000), lateShare = 0) {
  const { http, polls } = scripted(steps);
  const pauses: number[] = [];
  const queue: string[] = [];
  let submitted = 0;
  let accept = 'application/json';
  const futures = new Futures({
    http,
    accept: () => accept,
    onQueue: (state) => queue.push(state),
    onUnacceptable: () => (accept = 'application/x-protobuf, application/json'),
    room,
    longestBillingPause: () => 12_000,
    wait: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    now: () =>
      pauses.reduce((sum, ms) => sum + ms, 0) +
      polls.reduce((sum, { timeout }) => sum + (timeout?.answer ?? 0) * lateShare, 0),
  });
  const again = () => Promise.resolve({ id: `again-${++submitted}`, roundTrip: 40 });
  const read = (answer: HttpAnswer): HttpAnswer => {
    if (isJson(answer)) jsonOf(answer, z.object({ sequences: z.array(z.unknown()) }));
    return answer;
  };
  const call = { name: 'POST /api/v1/asample', type: 'Sample', submit: again, read };
  const signal = new AbortController().signal;
  const outcome = await futures.resolve(call, { id: 'first', roundTrip: 250 }, signal).then(
    (answer) => ({ answer, error: null }),
    (error: unknown) => ({ answer: null, error: EndpointError.is(error) ? error : null }),
  );
  const ids = polls.map(({ body }) => pollSchema.parse(body).request_id);
  return { ...outcome, polls, pauses, queue, ids };
}

const done: Step = { status: 200, body: { type: 'sample', sequences: [] } };

describe('tinker: futures', () => {
  it('polls again at once after a long poll ends or the server says it is not there yet, and tells why it waits', async () => {
    const waiting = { type: 'try_again', request_id: 'first', queue_state: 'paused_capacity' };
    const { answer, pauses, queue } = await resolve([{ status: 408 }, { status: 200, body: waiting }, done]);
    assert.equal(answer?.status, 200);
    assert.deepEqual(pauses, []);
    assert.deepEqual(queue, ['paused_capacity']);
  });

  it('asks for the payload after its metadata', async () => {
    const { polls } = await resolve([
      { status: 200, body: { status: 'complete_metadata', response_payload_size: 9 } },
      done,
    ]);
    const only = polls.map(({ body }) => pollSchema.parse(body).allow_metadata_only);
    assert.deepEqual(only, [true, false]);
  });

  it('asks for a payload once there is room for its bytes, and gives the room back', async () => {
    const room = new ByteRoom(1000);
    const leave = await room.take(900, new AbortController().signal);
    const steps: Step[] = [{ status: 200, body: { status: 'complete_metadata', response_payload_size: 500 } }, done];
    const resolving = resolve(steps, room);
    await soon();
    assert.equal(steps.length, 1, 'the payload waits');
    leave();
    assert.equal((await resolving).answer?.status, 200);
    (await room.take(1000, new AbortController().signal))();
  });

  it('says which poll it is, of what, and how long the promise took', async () => {
    const { polls } = await resolve([{ status: 410 }, { status: 408 }, done]);
    const told = (name: string) => polls.map(({ headers }) => headers?.[name]);
    assert.deepEqual(told('x-tinker-request-iteration'), ['1', '2', '3']);
    assert.deepEqual(told('x-tinker-request-type'), ['Sample', 'Sample', 'Sample']);
    assert.deepEqual(told('x-tinker-create-promise-roundtrip-time'), ['0.25', '0.04', '0.04']);
  });

  it('reads why it waits from the end of a long poll, too', async () => {
    const word = { queue_state: 'paused_rate_limit', queue_state_reason: 'too fast' };
    const { queue } = await resolve([
      { status: 408, body: word },
      { status: 408, body: { queue_state: 'active' } },
      { status: 408, body: { detail: 'still working' } },
      done,
    ]);
    assert.deepEqual(queue, ['paused_rate_limit']);
  });

  it('asks for protobuf where JSON is no longer given, and believes a second refusal', async () => {
    const { answer, polls } = await resolve([{ status: 406 }, done]);
    assert.equal(answer?.status, 200);
    assert.deepEqual(
      polls.map(({ headers }) => headers?.['accept']),
      ['application/json', 'application/x-protobuf, application/json'],
    );
    const never = await resolve([{ status: 406 }, { status: 406 }]);
    assert.equal(never.error?.reason, 'refused');
  });

  it('submits again what the server forgot or failed at, and not what it calls our fault', async () => {
    const forgotten = await resolve([
      { status: 410 },
      { status: 200, body: { error: 'lost a worker', category: 'server' } },
      done,
    ]);
    assert.deepEqual(forgotten.ids, ['first', 'again-1', 'again-2']);
    assert.equal(forgotten.answer?.status, 200);
    const ours = await resolve([{ status: 200, body: { error: 'prompt too long', category: 'user' } }]);
    assert.equal(ours.error?.reason, 'refused');
    assert.match(ours.error.message, /prompt too long/);
    const never = await resolve(Array.from({ length: 7 }, () => ({ status: 410 })));
    assert.equal(never.error?.reason, 'gone');
  });

  it('says what a server that fails at a request each time says of it', async () => {
    const body = { error: 'RuntimeError: inference tensor', category: 'server' };
    const { ids, error } = await resolve(Array.from({ length: 6 }, () => ({ status: 200, body })));
    assert.equal(ids.length, 6, 'it is submitted again five times');
    assert.equal(error?.reason, 'failed');
    assert.match(error.message, /the server said: RuntimeError: inference tensor/);
  });

  it('backs off for 429 and lost connections, asks on through 5xx with growing pauses, sleeps through a billing pause', async () => {
    const busy = await resolve([{ status: 429 }, { status: 429 }, 'unreachable', { status: 503 }, done]);
    assert.deepEqual(busy.pauses, [2000, 4000, 4000, 2000]);
    const unpaid = await resolve([{ status: 402, text: 'top up' }, done]);
    assert.deepEqual([unpaid.pauses, unpaid.queue], [[5000], ['billing']]);
  });

  it('waits as long as a server asks, goes on through its rarer failures, and for a bill as long as it was told', async () => {
    const asked = await resolve([
      { status: 429, headers: { 'retry-after-ms': '700' } },
      { status: 529 },
      { status: 507 },
      done,
    ]);
    assert.deepEqual(asked.pauses, [700, 250, 250]);
    const never = await resolve(Array.from({ length: 3 }, () => ({ status: 402 })));
    assert.equal(never.error?.reason, 'billing');
    assert.deepEqual(never.pauses, [5000, 5000]);
  });

  it('asks on through a proxy’s bad minutes, however often it fails, and gives up after many', async () => {
    const failing = (count: number): Step[] => Array.from({ length: count }, () => ({ status: 502 }));
    const passed = await resolve([...failing(30), done]);
    assert.equal(passed.answer?.status, 200);
    assert.deepEqual(passed.pauses.slice(0, 5), [250, 250, 250, 2000, 4000]);
    assert.ok(passed.pauses.reduce((sum, ms) => sum + ms, 0) > 10 * 60_000);
    const away = await resolve(failing(60));
    assert.deepEqual([away.error?.reason, away.error?.status], ['failed', 502]);
    const sign = await resolve([...failing(30), { status: 408 }, ...failing(30), done]);
    assert.equal(sign.answer?.status, 200, 'the end of a long poll shows that the server is there');
  });

  it('lets a server hold polls for minutes once one was held too long, and gives up where none ever ends', async () => {
    const held: Step[] = ['late', ...Array.from({ length: 40 }, () => ({ status: 408 })), done];
    const { answer, polls, pauses } = await resolve(held, undefined, 1);
    assert.equal(answer?.status, 200);
    assert.deepEqual([polls[0]?.timeout?.answer, polls[1]?.timeout?.answer, pauses], [45_000, 330_000, []]);
    const dead = await resolve(
      Array.from({ length: 9 }, () => 'late' as const),
      undefined,
      1,
    );
    assert.equal(dead.error?.reason, 'unreachable');
  });

  it('believes a bad request after three more tries', async () => {
    const bad = await resolve(Array.from({ length: 4 }, () => ({ status: 400, text: 'no such field' })));
    assert.equal(bad.error?.reason, 'refused');
    assert.equal(bad.error.status, 400);
    assert.match(bad.error.message, /no such field/);
  });

  for (const [name, spoilt] of [
    ['was cut', { status: 200, text: '{"sequ' }],
    ['is a page', { status: 200, text: '<html>gateway</html>' }],
    ['is null', { status: 200, text: 'null' }],
    ['is empty', { status: 200, text: '' }],
    ['is a list', { status: 200, text: '[]' }],
    ['is of another form', { status: 200, body: { sequences: 3 } }],
    ['is an object of nothing', { status: 200, body: {} }],
    ['is no gzip', 'malformed'],
  ] satisfies [string, Step][]) {
    it(`fetches a result that ${name} under its promise, then asks anew under its number, a bounded number of times`, async () => {
      const times = (count: number): Step[] => Array.from({ length: count }, () => spoilt);
      const once = await resolve([...times(1), done]);
      assert.deepEqual([once.answer?.status, once.ids], [200, ['first', 'first']]);
      assert.deepEqual(once.pauses, [1000]);
      const kept = await resolve([...times(6), done]);
      assert.equal(kept.answer?.status, 200);
      assert.deepEqual(kept.ids, [...times(6).map(() => 'first'), 'again-1']);
      const never = await resolve(times(18));
      assert.equal(never.error?.reason, 'malformed');
      assert.equal(new Set(never.ids).size, 3);
    });
  }

  it('says what came when it stays useless', async () => {
    const page = await resolve(Array.from({ length: 18 }, () => ({ status: 200, text: '<html>gateway</html>' })));
    assert.match(page.error?.message ?? '', /an HTML page instead of JSON; the answer begins: <html>gateway/);
  });

  it('gives protobuf as it came', async () => {
    const { answer } = await resolve([{ status: 200, text: '\u0001\u0002', type: 'application/x-protobuf' }]);
    assert.deepEqual(answer?.body, Buffer.from([1, 2]));
  });
});
