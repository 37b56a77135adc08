import assert from 'node:assert/strict';
import * as z from 'zod';
import { decodeSampleResult } from '../../../src/endpoints/tinker/wire/sampling.ts';
import { Faults, faultKinds, isFault, parseFaultRule, type Fault } from '../../../src/serve/faults/faults.ts';
import { input, TestServer } from '../../support/serve/testServer.ts';

describe('faults', () => {
  const call = { path: '/api/v1/asample', poll: false, results: false };
  const drawn = (rules: ConstructorParameters<typeof Faults>[0], seed: string, count = 400): (Fault | null)[] => {
    const faults = new Faults(rules, seed);
    return Array.from({ length: count }, () => faults.pick(call));
  };

  it('come in the share that was asked for, the same with the same seed', () => {
    const rules = [
      { fault: '500', share: 0.2 },
      { fault: 'html', share: 0.1 },
    ] as const;
    const first = drawn(rules, 'a', 4000);
    assert.deepEqual(first, drawn(rules, 'a', 4000));
    assert.notDeepEqual(first, drawn(rules, 'b', 4000));
    const count = (fault: Fault): number => first.filter((entry) => entry === fault).length;
    assert.ok(Math.abs(count('500') - 800) < 120, `${count('500')}`);
    assert.ok(Math.abs(count('html') - 400) < 90, `${count('html')}`);
  });

  it('come where they can, where they are wanted, and as often as they may', () => {
    assert.ok(drawn([{ fault: '410', share: 1 }], 'a').every((fault) => fault === null));
    assert.ok(drawn([{ fault: '500', share: 1, path: 'optim_step' }], 'a').every((fault) => fault === null));
    assert.equal(drawn([{ fault: '500', share: 1, times: 3 }], 'a').filter((fault) => fault !== null).length, 3);
  });

  it('refuse three calls in a row for a 429', () => {
    assert.deepEqual(drawn([{ fault: '429', share: 1, times: 1 }], 'a', 5), ['429', '429', '429', null, null]);
  });

  it('are read from words', () => {
    assert.deepEqual(parseFaultRule('500=0.1'), { fault: '500', share: 0.1 });
    assert.deepEqual(parseFaultRule('nan=1@asample'), { fault: 'nan', share: 1, path: 'asample' });
    for (const text of ['500', '500=', '500=2', 'nothing=0.1', '500=x', '=1']) assert.equal(parseFaultRule(text), null);
  });
});

describe('a server on a bad night', function () {
  this.timeout(240_000);
  const server = new TestServer();
  before(() => server.start());
  after(() => server.stop());
  beforeEach(() => server.faults.set([]));

  const asked = (over: object = {}): object => ({
    ...{ base_model: 'genenv/agent', num_samples: 2, prompt: input([1, 2]) },
    sampling_params: { max_tokens: 4, seed: 1 },
    ...over,
  });
  const once = (fault: Fault, path?: string): void =>
    server.faults.set([{ fault, share: 1, times: 1, ...(path === undefined ? {} : { path }) }]);
  const poll = (request_id: string, headers: Record<string, string> = {}) =>
    server.send('POST', '/api/v1/retrieve_future', { request_id }, headers);

  it('refuses in the protocol’s words, then works again', async () => {
    const statuses: [Fault, number][] = [
      ['500', 500],
      ['401', 401],
      ['402', 402],
      ['html', 502],
    ];
    for (const [fault, status] of statuses) {
      once(fault);
      assert.equal((await server.send('GET', '/api/v1/sessions')).status, status);
      assert.equal((await server.send('GET', '/api/v1/sessions')).status, 200);
    }
    assert.equal(server.faults.happened.get('500'), 1);
  });

  it('forgets a promise until its request comes again', async () => {
    const session = await server.sampling(0, { base_model: 'genenv/agent' });
    const body = asked({ sampling_session_id: session, seq_id: 1, base_model: null });
    const promise = await server.promise('asample', body);
    const before = await server.result(promise);
    once('410');
    assert.equal((await poll(promise)).status, 410);
    assert.equal((await poll(promise)).status, 410);
    assert.equal(await server.promise('asample', body), promise);
    assert.deepEqual(await server.result(promise), before);
  });

  it('drops a connection before or after the work', async () => {
    const session = await server.session();
    const body = (number: number): object => ({
      session_id: session,
      model_seq_id: number,
      base_model: 'genenv/agent',
    });
    const exists = async (number: number): Promise<boolean> =>
      (await server.send('POST', '/api/v1/get_info', { model_id: `${session}:train:${number}` })).status === 200;
    once('drop-before');
    await assert.rejects(server.send('POST', '/api/v1/create_model', body(0)));
    assert.equal(await exists(0), false);
    once('drop-after');
    await assert.rejects(server.send('POST', '/api/v1/create_model', body(1)));
    assert.equal(await exists(1), true);
  });

  it('cuts an answer, or never ends it', async () => {
    once('truncated');
    await assert.rejects(server.send('GET', '/api/v1/sessions'), SyntaxError);
    once('slow-loris');
    const response = await fetch(`${server.server.url}/api/v1/sessions`);
    const reader = response.body?.getReader();
    const part: unknown = (await reader?.read())?.value;
    assert.ok(part instanceof Uint8Array && part.length < 5);
    await reader?.cancel();
  });

  it('gives one result too few, or a logprob that is no number, in both forms', async () => {
    const promise = await server.promise('asample', asked());
    await server.result(promise);
    const protobuf = { accept: 'application/x-protobuf' };
    once('wrong-count');
    const short = z.object({ sequences: z.array(z.unknown()) }).parse((await poll(promise)).json);
    assert.equal(short.sequences.length, 1);
    once('wrong-count');
    assert.equal(decodeSampleResult((await poll(promise, protobuf)).bytes).sequences.length, 1);
    once('nan');
    await assert.rejects(poll(promise), SyntaxError);
    once('nan');
    const { sequences } = decodeSampleResult((await poll(promise, protobuf)).bytes);
    assert.ok(sequences[0]?.logprobs?.every(Number.isNaN));
    const { status } = await poll(promise);
    assert.equal(status, 200);
  });

  it('begins again in the middle of a call', async () => {
    const session = await server.session();
    once('restart', 'session_heartbeat');
    await assert.rejects(server.post('session_heartbeat', { session_id: session }));
    await server.server.restart();
    await server.post('session_heartbeat', { session_id: session }, 404);
  });

  it('knows every fault by its name', () => {
    assert.ok(Object.keys(faultKinds).every(isFault));
    assert.equal(isFault('constructor'), false);
  });
});
