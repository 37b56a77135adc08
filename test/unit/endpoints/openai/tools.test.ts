import assert from 'node:assert/strict';
import type { EndpointError } from '../../../../src/endpoints/endpointError.ts';
import { chatSchema } from '../../../../src/endpoints/openai/wire.ts';
import { toolCallsOf, toolText } from '../../../../src/shared/rewards/toolCalls.ts';
import { told } from '../../../../src/endpoints/openai/toolCalls.ts';
import type { Message } from '../../../../src/shared/records/message.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { OpenedPolicies } from '../../../support/openai/openedPolicies.ts';

const tool = { name: 'weather', description: 'Tells the weather.', parameters: { type: 'object', properties: {} } };
const call = (name: string, given: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${given}}\n</tool_call>`;

describe('tools on an OpenAI-compatible server', () => {
  const opened = new OpenedPolicies();
  afterEach(() => opened.close());

  for (const kind of ['vllm', 'sglang', 'llama.cpp', 'ollama'] as const) {
    it(`are sent to ${kind}, and its calls are part of the text`, async () => {
      const server = await opened.start(kind, (one) => (one.context = 4096));
      const policy = await opened.open({ url: server.url });
      const [completion] = await opened.sample(policy, { tools: [tool] });
      assert.ok(completion !== undefined && 'text' in completion);
      assert.equal(completion.text, call('weather', '{"value": 7}'));
      assert.equal(completion.stopReason, 'stop');
      assert.deepEqual(server.bodies.at(-1)?.tools, [{ type: 'function', function: tool }]);
    });
  }

  for (const [kind, words] of [
    ['vllm', /--enable-auto-tool-choice and the --tool-call-parser/],
    ['sglang', /--tool-call-parser/],
    ['llama.cpp', /--jinja/],
    ['ollama', /model whose template has tools/],
  ] as const) {
    it(`that ${kind} was not started for end the run with what to do, and are never passed over`, async () => {
      for (const [tools, what] of [
        ['refuses', /takes no tools/],
        ['passes over', /passes over the tools/],
      ] as const) {
        const server = await opened.start(kind, (one) => Object.assign(one, { context: 4096, tools }));
        const policy = await opened.open({ url: server.url }, new FastTime(1000));
        await opened.sample(policy, {});
        const asked = server.bodies.length;
        await assert.rejects(opened.sample(policy, { tools: [tool] }), (error: EndpointError) => {
          assert.equal(error.reason, 'unable');
          assert.match(error.message, what);
          assert.match(error.remedy, words);
          return true;
        });
        assert.equal(server.bodies.length, asked);
      }
    });
  }

  for (const given of ['', '  ', undefined, null, {}]) {
    it(`are called without arguments, told as ${JSON.stringify(given)}`, () => {
      const message = {
        content: 'Now.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'now', arguments: given } }],
      };
      const { choices } = chatSchema.parse({ choices: [{ message }] });
      const [text = ''] = (choices[0]?.message.tool_calls ?? []).map((one) => toolText(one.function));
      assert.equal(text, call('now', '{}'));
      assert.deepEqual(toolCallsOf(text), [{ name: 'now', arguments: {} }]);
    });
  }

  it('may be called with an object, and a model may write none', () => {
    const tool_calls = [{ function: { name: 'weather', arguments: { at: 'Oslo' } } }];
    const { choices } = chatSchema.parse({ choices: [{ message: { tool_calls } }] });
    assert.equal(choices[0]?.message.tool_calls?.[0]?.function.arguments, '{"at":"Oslo"}');
    const [sent] = told([{ role: 'assistant', content: call('now', '""') }], { native: true, free: false });
    assert.deepEqual(
      sent !== undefined && 'tool_calls' in sent && sent.tool_calls.map((one) => 'function' in one && one.function),
      [{ name: 'now', arguments: '{}' }],
    );
  });

  const turns: Message[] = [
    { role: 'user', content: 'Where is it warmer?' },
    { role: 'assistant', content: `I look.\n${call('weather', '{"at":"Oslo"}')}\n${call('weather', '{"at":"Rome"}')}` },
    { role: 'tool', content: '3', name: 'weather' },
    { role: 'tool', content: '21', name: 'weather' },
    { role: 'assistant', content: 'In Rome.' },
  ];

  it('and their answers are told as calls where the request has tools', () => {
    const calls = ['{"at":"Oslo"}', '{"at":"Rome"}'].map((given, i) => ({
      ...{ id: `call0000${i + 1}`, type: 'function' },
      function: { name: 'weather', arguments: given },
    }));
    assert.deepEqual(told(turns, { native: true, free: false }), [
      turns[0],
      { role: 'assistant', content: 'I look.', tool_calls: calls },
      { role: 'tool', content: '3', tool_call_id: 'call00001' },
      { role: 'tool', content: '21', tool_call_id: 'call00002' },
      turns[4],
    ]);
  });

  it('are answered by name, whatever the order', () => {
    const [both] = [`${call('a', '{}')}${call('b', '{}')}`];
    const sent = told(
      [
        { role: 'assistant', content: both },
        { role: 'tool', content: 'of b', name: 'b' },
        { role: 'tool', content: 'of a', name: 'a' },
      ],
      { native: true, free: false },
    );
    assert.deepEqual(
      sent.map((message) => ('tool_call_id' in message ? message.tool_call_id : null)),
      [null, 'call00002', 'call00001'],
    );
    assert.deepEqual([sent[0]?.role, sent[0]?.content], ['assistant', null]);
  });

  it('stay text where the request has none, or where a call cannot be read', () => {
    const torn: Message[] = [{ role: 'assistant', content: '<tool_call>\n{"name": weather}\n</tool_call>' }];
    assert.deepEqual(told(torn, { native: true, free: true }), torn);
    const plain = told(turns, { native: false, free: false });
    assert.deepEqual(
      plain.map(({ role }) => role),
      ['user', 'assistant', 'user', 'user', 'assistant'],
    );
    assert.equal(plain[1]?.content, turns[1]?.content);
  });
});
