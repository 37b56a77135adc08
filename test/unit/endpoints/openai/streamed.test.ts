import assert from 'node:assert/strict';
import { probe } from '../../../../src/endpoints/openai/probe.ts';
import { MalformedAnswer } from '../../../../src/endpoints/http/httpClient.ts';
import { whole } from '../../../../src/endpoints/openai/stream/streamed.ts';
import { chatSchema } from '../../../../src/endpoints/openai/wire.ts';
import type { Ask } from '../../../../src/endpoints/openai/forms.ts';
import { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { environmentKeys } from '../../../../src/launch/access/keys.ts';
import { openaiConnection } from '../../../../src/launch/policies/openaiClient.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { FakeServer, type Kind } from '../../../support/openai/fakeServer.ts';

const messages: Ask['messages'] = [{ role: 'user', content: 'one two three' }];
const asked: Ask = { messages, n: 2, seed: 5, maxTokens: 8, temperature: 1 };
const tool = { name: 'note', description: 'Writes.', parameters: { type: 'object', properties: {} } };
const prompt = { ids: [1, 2, 3], stop: [9], decode: (ids: readonly number[]) => ids.join(' ') };

describe('a server behind a proxy that does not wait for whole answers', () => {
  const closing: (() => Promise<void> | void)[] = [];
  const { signal } = new AbortController();

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function open(kind: Kind, speed = 1000) {
    const server = await new FakeServer(kind).start();
    closing.push(() => server.stop());
    const address = { root: server.url.replace('/v1', ''), api: '/v1' };
    const connection = openaiConnection(address, null, environmentKeys({}), { time: new FastTime(speed) });
    closing.push(() => connection.http.close());
    const log = { info: () => undefined, warn: () => undefined };
    const facts = await probe([connection], 'qwen', null, log, signal);
    return { server, facts };
  }

  /** Every kind of call that the server has. */
  const eachCall = async ({ server, ids }: Awaited<ReturnType<typeof probe>>, completes: boolean) => [
    await server.chat(0, asked, ids, signal),
    await server.chat(0, { ...asked, tools: [tool] }, false, signal),
    ...(completes ? [await server.complete(0, asked, prompt, signal)] : []),
  ];

  for (const kind of ['vllm', 'sglang', 'llama.cpp', 'ollama'] as const) {
    it(`is asked to stream after one refusal, and what comes is the same, on ${kind}`, async () => {
      const { server, facts } = await open(kind);
      server.says = () => ({ content: 'vier ☃ <think>', thought: 'two and two' });
      const all = () => eachCall(facts, kind === 'vllm');
      const expected = await all();
      server.bodies.length = 0;
      server.impatient = true;
      assert.deepEqual(await all(), expected);
      assert.deepEqual(
        server.bodies.map(({ stream }) => stream),
        [false, ...expected.map(() => true)],
      );
    });
  }

  it('counts a prompt once for all answers to it', async () => {
    const { facts } = await open('vllm');
    const answers = await facts.server.chat(0, asked, false, signal);
    assert.deepEqual(
      answers.map(({ promptCount }) => promptCount),
      [1, 2],
    );
  });

  it('is not taken for one that refuses at once: its server is away', async () => {
    const { server, facts } = await open('vllm', 10);
    server.impatient = true;
    server.waits = 0;
    setTimeout(() => (server.impatient = false), 5);
    const answers = await facts.server.chat(0, asked, true, signal);
    assert.equal(answers.length, 2);
    assert(server.bodies.every(({ stream }) => !stream));
  });

  it('may answer whole all the same, where one refusal was a moment’s', async () => {
    for (const kind of ['vllm', 'sglang', 'llama.cpp', 'ollama'] as const) {
      const { server, facts } = await open(kind);
      server.says = () => ({ content: 'vier ☃ <think>', thought: 'two and two' });
      const all = () => eachCall(facts, kind === 'vllm');
      const expected = await all();
      server.impatient = true;
      await facts.server.chat(0, asked, facts.ids, signal);
      server.impatient = false;
      server.deaf = true;
      server.bodies.length = 0;
      assert.deepEqual(await all(), expected);
      assert(server.bodies.every(({ stream }) => stream));
      assert.equal(server.bodies.length, expected.length);
    }
  });

  it('is asked again when a stream ends before its answer, breaks off, or is none', async () => {
    const { server, facts } = await open('vllm');
    server.impatient = true;
    const spoilt: ((events: string) => string)[] = [
      (events) => events.slice(0, events.length / 2),
      () => 'data: {"error": {"message": "CUDA error"}}\n\n',
      () => 'data: null\n\n',
      () => 'data: {"choices": [{"index": 1000000000, "delta": {}}]}\n\n',
      () => 'data: {"choi\n\n',
      () => '<!doctype html>',
    ];
    const count = spoilt.length;
    server.streams = (events) => spoilt.shift()?.(events) ?? events;
    const answers = await facts.server.chat(0, asked, true, signal);
    assert.deepEqual(
      answers.map(({ text, tokens }) => [text, tokens.length]),
      [
        ['answer 5', 1],
        ['answer 6', 1],
      ],
    );
    assert.equal(server.bodies.filter(({ stream }) => stream).length, count + 1);
    server.streams = () => 'data: {"error": {"message": "CUDA error"}}\n\n';
    await assert.rejects(facts.server.chat(0, asked, true, signal), (error) => {
      assert.ok(EndpointError.is(error, 'malformed'));
      assert.match(error.message, /broke off: .*CUDA error/);
      return true;
    });
  });
});

describe('an answer that is put together', () => {
  type Part = Record<string, unknown>;
  async function* each(parts: readonly Part[]): AsyncGenerator<unknown, void> {
    for (const part of parts) yield Promise.resolve({ choices: [{ index: 0, ...part }] });
  }
  const put = (...parts: Part[]): Promise<unknown> => whole(Promise.resolve(each(parts)));
  const chunk = (...tool_calls: Part[]): Part => ({ delta: { tool_calls } });
  const part = (name: string | null, given?: unknown, more: Part = {}): Part => ({
    ...more,
    function: { name, arguments: given },
  });
  const calls = async (...chunks: Part[]): Promise<(readonly [string, string])[]> => {
    const { choices } = chatSchema.parse(await put(...chunks, { delta: {}, finish_reason: 'tool_calls' }));
    return (choices[0]?.message.tool_calls ?? []).map((one) => [one.function.name, one.function.arguments] as const);
  };
  const both = [
    ['look', '{"x":1}'],
    ['go', '{"y":2}'],
  ];

  it('has each call of a tool by itself, however a server numbers them', async () => {
    for (const [a, b] of [
      [
        { index: 0, id: 'a' },
        { index: 1, id: 'b' },
      ],
      [{ id: 'a' }, { id: 'b' }],
      [
        { index: 0, id: 'a' },
        { index: 0, id: 'b' },
      ],
      [
        { index: 0, id: 'a' },
        { index: 1, id: 'a' },
      ],
      [{}, {}],
    ]) {
      const [first, second] = [part('look', '{"x":1}', a), part('go', '{"y":2}', b)];
      assert.deepEqual(await calls(chunk(first), chunk(second)), both, 'a chunk each');
      assert.deepEqual(await calls(chunk(first, second)), both, 'one chunk');
      const parts = [part('look', '{"x":', a), part(null, '1}', a), part('go', '{"y":', b), part(null, '2}', b)];
      assert.deepEqual(await calls(...parts.map((one) => chunk(one))), both, 'in parts');
    }
    const late = [part('go', '{"y":2}', { index: 1 }), part('look', '{"x":1}', { index: 0 })];
    assert.deepEqual(await calls(...late.map((one) => chunk(one))), both);
  });

  it('has one call where each of its parts has a name, or an id of its own', async () => {
    const [named, numbered] = [
      ['{"x":', '1}'].map((given) => part('look', given, { index: 0, id: 'a' })),
      [part('look', '', { index: 0, id: 'a' }), part(null, '{"x":1}', { index: 0, id: 'b' })],
    ];
    for (const parts of [named, numbered, ['{"x":', '1}'].map((given) => part('look', given))]) {
      assert.deepEqual(await calls(...parts.map((one) => chunk(one))), both.slice(0, 1));
    }
    assert.deepEqual(await calls(chunk(part('look', { x: 1 }))), both.slice(0, 1));
    assert.deepEqual(await calls(chunk(part('look', null, { index: 0 }))), [['look', '{}']]);
  });

  it('has not ended before a reason is named', async () => {
    await assert.rejects(put({ delta: { content: 'half' }, finish_reason: '' }), MalformedAnswer);
    const parts = ['Vier', '.'].map((content) => ({ delta: { content }, finish_reason: '' }));
    const { choices } = chatSchema.parse(await put(...parts, { delta: {}, finish_reason: 'stop' }));
    assert.deepEqual([choices[0]?.message.content, choices[0]?.finish_reason], ['Vier.', 'stop']);
  });
});
