/** The address of attempts that are programs, asked by the `openai` package. */
import assert from 'node:assert/strict';
import OpenAI, { APIError } from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { Calls } from '../../../src/domains/programs/calls.ts';
import { Door } from '../../../src/domains/programs/door.ts';
import { QuestionError, type Ask, type Question } from '../../../src/engine/leader.ts';
import { eventually } from '../../support/until.ts';
import type { Completion } from '../../../src/engine/completion.ts';

const completion = (text: string, over: Partial<Completion> = {}): Completion => ({
  ...{ requestId: 'r', index: 0, promptTokens: [1, 2, 3], tokens: [4, 5], logprobs: [-0.5, -1], text },
  ...{ stopReason: 'stop', ...over },
});

const call = (name: string, given: object): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(given)}}\n</tool_call>`;

const weather: ChatCompletionTool = {
  type: 'function',
  function: { name: 'weather', description: 'Tells it.', parameters: { type: 'object', properties: {} } },
};

describe('the address where programs ask the agent', () => {
  let door: Door;
  let asked: Question[] = [];
  let says: Ask = () => Promise.resolve([completion('Hello.')]);
  let client: OpenAI;
  let leave: () => void = () => undefined;

  beforeEach(async () => {
    door = await Door.open();
    asked = [];
    const calls = new Calls((question) => {
      asked.push(question);
      return says(question);
    });
    const admitted = door.admit((body, gone) => calls.answer(body, gone));
    leave = admitted.leave;
    client = new OpenAI({ baseURL: door.url, apiKey: admitted.key });
  });
  afterEach(() => door.close());

  const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content });
  const model = 'agent';
  async function refusalOf(asking: Promise<unknown>): Promise<string> {
    const error: unknown = await asking.then(
      () => assert.fail('it was answered'),
      (reason: unknown) => reason,
    );
    assert(error instanceof APIError, String(error));
    return `${error.status} ${error.code ?? '-'} ${error.message}`;
  }

  it('lists the one model, and answers with what the agent said and what it took', async () => {
    says = () => Promise.resolve([completion('Hello.', { reasoning: 'A greeting.' })]);
    assert.deepEqual(
      (await client.models.list()).data.map(({ id }) => id),
      [model],
    );
    const messages = [{ role: 'developer', content: 'Be kind.' } as const, user('Hi')];
    const answer = await client.chat.completions.create({
      model,
      messages,
      temperature: 0.2,
      max_completion_tokens: 9,
    });
    const [choice] = answer.choices;
    assert.deepEqual([choice?.message.content, choice?.finish_reason], ['Hello.', 'stop']);
    assert.deepEqual(answer.usage, { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 });
    const [question] = asked;
    assert(question !== undefined);
    assert.deepEqual(question.messages, [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi' },
    ]);
    assert.equal(question.maxTokens, 9);
  });

  it('tells token ids and logprobs where they are asked for', async () => {
    const answer = await client.chat.completions.create({
      ...{ model, messages: [user('Hi')], logprobs: true },
      // vLLM's own field.
      ...{ return_token_ids: true },
    });
    assert.deepEqual(
      answer.choices[0]?.logprobs?.content?.map(({ token, logprob }) => [token, logprob]),
      [
        ['token_id:4', -0.5],
        ['token_id:5', -1],
      ],
    );
    assert.deepEqual('prompt_token_ids' in answer ? answer.prompt_token_ids : null, [1, 2, 3]);
  });

  it('gives n answers, cut ones among them, with the stops that were asked for', async () => {
    says = () => Promise.resolve([completion('a'), completion('b', { index: 1, stopReason: 'length' })]);
    const answer = await client.chat.completions.create({ model, messages: [user('Hi')], n: 2, stop: ['.', '\n'] });
    assert.deepEqual(
      answer.choices.map(({ message, finish_reason }) => [message.content, finish_reason]),
      [
        ['a', 'stop'],
        ['b', 'length'],
      ],
    );
    assert.deepEqual([asked[0]?.n, asked[0]?.stop], [2, ['.', '\n']]);
  });

  it('streams, with usage where it is asked for, and cuts no character in two', async () => {
    const text = `${'x'.repeat(63)}🙂 and more: ${'y'.repeat(200)}`;
    says = () => Promise.resolve([completion(text)]);
    const stream = await client.chat.completions.create({
      ...{ model, messages: [user('Hi')], stream: true, stream_options: { include_usage: true } },
    });
    let told = '';
    let pieces = 0;
    let tokens = 0;
    for await (const { choices, usage } of stream) {
      const piece = choices[0]?.delta.content ?? '';
      assert(piece.isWellFormed());
      told += piece;
      pieces += 1;
      tokens += usage?.completion_tokens ?? 0;
    }
    assert.equal(told, text);
    assert.equal(tokens, 2);
    assert(pieces > 4);
  });

  it('tells calls of tools as calls, and knows its own turn again when it comes back', async () => {
    const text = `Let me see.\n${call('weather', { city: 'Bern', days: [1, 2] })}\n${call('weather', { city: 'Rome' })}`;
    says = () => Promise.resolve([completion(text)]);
    const messages = [user('Weather?')];
    const first = await client.chat.completions.create({ model, messages, tools: [weather] });
    const [choice] = first.choices;
    assert.equal(choice?.finish_reason, 'tool_calls');
    assert.equal(choice.message.content, 'Let me see.');
    const calls = (choice.message.tool_calls ?? []).flatMap((one) => (one.type === 'function' ? [one] : []));
    assert.deepEqual(
      calls.map(({ function: { name, arguments: given } }): unknown[] => [name, JSON.parse(given)]),
      [
        ['weather', { city: 'Bern', days: [1, 2] }],
        ['weather', { city: 'Rome' }],
      ],
    );
    assert.deepEqual(asked[0]?.tools, [
      { name: 'weather', description: 'Tells it.', parameters: { type: 'object', properties: {} } },
    ]);
    // A client that writes arguments anew, with spaces.
    const again = calls.map((one) => ({
      ...one,
      function: { ...one.function, arguments: JSON.stringify(JSON.parse(one.function.arguments), null, 2) },
    }));
    const answers = calls.map(({ id }, i) => ({ role: 'tool' as const, tool_call_id: id, content: `answer ${i}` }));
    await client.chat.completions.create({
      ...{ model, tools: [weather] },
      messages: [...messages, { role: 'assistant', content: choice.message.content, tool_calls: again }, ...answers],
    });
    assert.deepEqual(asked[1]?.messages.slice(1), [
      { role: 'assistant', content: text },
      { role: 'tool', content: 'answer 0', name: 'weather' },
      { role: 'tool', content: 'answer 1', name: 'weather' },
    ]);
    // Changed calls are another turn.
    await client.chat.completions.create({
      ...{ model, tools: [weather] },
      messages: [...messages, { role: 'assistant', content: null, tool_calls: again.slice(0, 1) }],
    });
    assert.match(asked[2]?.messages[1]?.content ?? '', /^<tool_call>\n.*Bern/s);
  });

  it('streams calls of tools as the client’s own helper puts them together', async () => {
    says = () => Promise.resolve([completion(call('weather', { city: 'Bern' }))]);
    const stream = client.chat.completions.stream({ model, messages: [user('Weather?')], tools: [weather] });
    const message = await stream.finalMessage();
    const [one] = message.tool_calls ?? [];
    assert(one?.type === 'function');
    assert.deepEqual([one.function.name, one.function.arguments], ['weather', '{"city":"Bern"}']);
  });

  it('leaves calls as text where no tools were named', async () => {
    says = () => Promise.resolve([completion(call('weather', {}))]);
    const answer = await client.chat.completions.create({
      ...{ model, messages: [user('Weather?')], tools: [weather], tool_choice: 'none' },
    });
    assert.match(answer.choices[0]?.message.content ?? '', /<tool_call>/);
    assert.deepEqual(asked[0]?.tools, []);
  });

  it('answers parallel requests side by side', async () => {
    const open: (() => void)[] = [];
    says = async ({ messages }) => {
      await new Promise<void>((resolve) => {
        open.push(resolve);
        if (open.length === 3) for (const go of open) go();
      });
      return [completion(`to ${messages[0]?.content ?? ''}`)];
    };
    const ask = async (name: string): Promise<string | null | undefined> =>
      (await client.chat.completions.create({ model, messages: [user(name)] })).choices[0]?.message.content;
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(ask)), ['to a', 'to b', 'to c']);
  });

  it('calls a question off when its client goes away', async () => {
    const gone = new AbortController();
    says = async ({ signal }) => {
      await new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('called off')));
        gone.abort();
      });
      return [];
    };
    await assert.rejects(client.chat.completions.create({ model, messages: [user('a')] }, { signal: gone.signal }));
    await eventually(async () => assert.equal(await Promise.resolve(asked[0]?.signal.aborted), true));
  });

  it('refuses what would change the answer and cannot, with the field', async () => {
    const ask = (more: object): Promise<string> =>
      refusalOf(client.chat.completions.create({ model, messages: [user('a')], ...more }));
    assert.match(await ask({ tool_choice: 'required' }), /^400 .*the agent chooses by itself.*tool_choice/s);
    assert.match(await ask({ response_format: { type: 'json_object' } }), /^400 .*response_format/s);
    assert.match(await ask({ n: 0 }), /^400 .*→ at n/s);
    assert.match(await ask({ messages: [] }), /^400 .*at least one message/s);
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,' } }] };
    assert.match(await ask({ messages: [image] }), /^400 .*messages\[0\]\.content/s);
    assert.equal(asked.length, 0);
  });

  it('refuses another model, another key, another place, and what is no JSON', async () => {
    const messages = [user('a')];
    assert.match(
      await refusalOf(client.chat.completions.create({ model: 'gpt-5', messages })),
      /^404 model_not_found .*“gpt-5” does not exist here.*OPENAI_MODEL names: “agent”/,
    );
    assert.match(await refusalOf(client.embeddings.create({ model, input: 'a' })), /^404 .*POST \/v1\/embeddings/);
    const raw = await fetch(`${door.url}/chat/completions`, {
      ...{ method: 'POST', body: '{"model": ', headers: { authorization: `Bearer ${client.apiKey ?? ''}` } },
    });
    assert.equal(raw.status, 400);
    assert.match(await raw.text(), /not JSON/);
    const page = await fetch(`${door.url}/models`, { headers: { origin: 'http://evil.example' } });
    assert.equal(page.status, 403);
    const stranger = new OpenAI({ baseURL: door.url, apiKey: 'sk-guess' });
    assert.match(await refusalOf(stranger.models.list()), /^401 invalid_api_key .*OPENAI_API_KEY/);
    // A key ends with its attempt.
    leave();
    assert.match(await refusalOf(client.chat.completions.create({ model, messages })), /^401 /);
    assert.equal(asked.length, 0);
  });

  it('says in its own form why a question has no answer, and is not asked again', async () => {
    says = () => Promise.reject(new QuestionError('endpoint', 'It does not fit the context.'));
    const ask = (): Promise<string> => refusalOf(client.chat.completions.create({ model, messages: [user('a')] }));
    assert.equal(await ask(), '400 context_length_exceeded 400 It does not fit the context.');
    says = () => Promise.reject(new QuestionError('turns', 'All used.'));
    assert.equal(await ask(), '403 calls_used 403 All used.');
    says = () => Promise.reject(new Error('the server is away'));
    assert.match(await ask(), /^500 .*the server is away/);
    assert.equal(asked.length, 3);
  });
});
