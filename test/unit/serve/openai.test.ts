import assert from 'node:assert/strict';
import * as z from 'zod';
import { until } from '../../support/until.ts';
import { input, TestServer } from '../../support/serve/testServer.ts';
import { sampleResultSchema } from '../../../src/endpoints/tinker/wire/sampling.ts';
import { words } from '../../support/embedded/models.ts';

const chatSchema = z.object({
  choices: z.array(
    z.object({
      message: z.object({ role: z.literal('assistant'), content: z.string() }),
      finish_reason: z.enum(['stop', 'length']),
      token_ids: z.array(z.int()).optional(),
      logprobs: z.object({ content: z.array(z.object({ token: z.string(), logprob: z.number() })) }).nullable(),
    }),
  ),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
  prompt_token_ids: z.array(z.int()).optional(),
});
const completionSchema = z.object({
  choices: z.array(
    z.object({
      text: z.string(),
      token_ids: z.array(z.int()).optional(),
      prompt_logprobs: z.array(z.record(z.string(), z.object({ logprob: z.number() })).nullable()).optional(),
      logprobs: z.object({ tokens: z.array(z.string()), token_logprobs: z.array(z.number()) }).nullable(),
    }),
  ),
});
const errorSchema = z.object({
  error: z.object({ message: z.string(), type: z.string(), code: z.string().nullable() }),
});

describe('the OpenAI-compatible calls', function () {
  this.timeout(240_000);
  const server = new TestServer();
  before(() => server.start());
  after(() => server.stop());

  const messages = [
    { role: 'system', content: 'w1' },
    { role: 'user', content: [{ type: 'text', text: 'w2 w3' }] },
  ];
  const base = { model: 'genenv/agent', seed: 5, max_tokens: 8, temperature: 1 };
  const call = async (path: string, body: object, status = 200): Promise<unknown> => {
    const answer = await server.send('POST', path, { ...base, ...body });
    assert.equal(answer.status, status, JSON.stringify(answer.json));
    return answer.json;
  };
  const chat = async (body: object) => chatSchema.parse(await call('/v1/chat/completions', { messages, ...body }));
  const complete = async (body: object) =>
    completionSchema.parse(await call('/v1/completions', { prompt: [1, 2, 3], ...body }));

  it('samples what the protocol of ids samples', async () => {
    const asked = { base_model: 'genenv/agent', num_samples: 3, prompt: input([1, 2, 3]) };
    const { sequences } = sampleResultSchema.parse(
      await server.ask('asample', { ...asked, sampling_params: { max_tokens: 8, seed: 5 } }),
    );
    const ids = sequences.map(({ tokens }) => tokens);
    const chatted = await chat({ n: 3, logprobs: true, return_token_ids: true });
    assert.deepEqual(
      chatted.choices.map(({ token_ids }) => token_ids),
      ids,
    );
    assert.deepEqual(chatted.prompt_token_ids, [1, 2, 3]);
    assert.deepEqual(
      chatted.choices.map(({ logprobs }) => logprobs?.content.map(({ logprob }) => logprob)),
      sequences.map(({ logprobs }) => logprobs),
    );
    const count = ids.flat().length;
    assert.deepEqual(chatted.usage, { prompt_tokens: 3, completion_tokens: count, total_tokens: 3 + count });
    for (const [i, { message, finish_reason }] of chatted.choices.entries()) {
      const text = (ids[i] ?? []).filter((id) => id !== 0).map((id) => words[id]);
      assert.equal(message.content, text.join(' '));
      assert.equal(finish_reason, sequences[i]?.stop_reason);
    }
    const completed = await complete({ n: 3, logprobs: 1, return_token_ids: true });
    assert.deepEqual(
      completed.choices.map(({ token_ids }) => token_ids),
      ids,
    );
    const texts = (await complete({ prompt: 'w1 w2 w3', n: 3 })).choices.map(({ text }) => text);
    assert.deepEqual(
      texts,
      chatted.choices.map(({ message }) => message.content),
    );
  });

  it('tells of one model, its slash encoded or not', async () => {
    for (const name of [base.model, encodeURIComponent(base.model)]) {
      const { status, json } = await server.send('GET', `/v1/models/${name}`);
      assert.equal(status, 200);
      assert.equal(z.object({ id: z.string() }).parse(json).id, base.model);
    }
    assert.equal((await server.send('GET', '/v1/models/genenv/other')).status, 404);
  });

  it('scores the tokens of a prompt', async () => {
    const { choices } = await complete({ max_tokens: 1, prompt_logprobs: 0 });
    const scores = choices[0]?.prompt_logprobs ?? [];
    assert.equal(scores[0], null);
    assert.deepEqual(
      scores.slice(1).map((entry) => Object.keys(entry ?? {})),
      [['2'], ['3']],
    );
  });

  it('scores a context that is full, and samples no token beyond it', async () => {
    const full = Array.from({ length: 48 }, (_, i) => 1 + (i % 3));
    const { choices } = await complete({ prompt: full, max_tokens: 1, prompt_logprobs: 0 });
    assert.deepEqual([choices[0]?.prompt_logprobs?.length, choices[0]?.text], [48, '']);
    for (const body of [{ max_tokens: 1 }, { max_tokens: 2, prompt_logprobs: 0 }]) {
      const { error } = errorSchema.parse(await call('/v1/completions', { prompt: full, ...body }, 400));
      assert.match(error.message, /maximum context length is 48 tokens/);
    }
  });

  it('keeps stop texts out of the text', async () => {
    const whole = (await chat({})).choices[0]?.message.content.split(' ') ?? [];
    const stopped = (await chat({ stop: [whole[2]], return_token_ids: true })).choices[0];
    assert.equal(stopped?.message.content, whole.slice(0, whole.indexOf(whole[2] ?? '')).join(' '));
    assert.equal(stopped.finish_reason, 'stop');
  });

  it('tells the prompt’s ids in a stream once, as vLLM does', async () => {
    const body = { ...base, messages, n: 2, stream: true, return_token_ids: true };
    const { bytes } = await server.send('POST', '/v1/chat/completions', body);
    const chunk = z.object({ prompt_token_ids: z.array(z.int()).optional() });
    const lines = new TextDecoder().decode(bytes).trim().split('\n\n').slice(0, -1);
    const told = lines.map((line) => chunk.parse(JSON.parse(line.slice('data: '.length))).prompt_token_ids);
    assert((told[0]?.length ?? 0) > 0);
    assert(told.slice(1).every((ids) => ids === undefined));
  });

  it('streams the same text', async () => {
    const whole = await chat({ n: 2 });
    const body = { ...base, messages, n: 2, stream: true, stream_options: { include_usage: true } };
    const { bytes, headers } = await server.send('POST', '/v1/chat/completions', body);
    assert.match(headers.get('content-type') ?? '', /event-stream/);
    const lines = new TextDecoder().decode(bytes).trim().split('\n\n');
    assert.equal(lines.pop(), 'data: [DONE]');
    const chunk = z.object({
      choices: z.array(
        z.object({
          index: z.int(),
          delta: z.object({ content: z.string().optional() }),
          finish_reason: z.string().nullable(),
        }),
      ),
      usage: z.object({ completion_tokens: z.int() }).optional(),
    });
    const chunks = lines.map((line) => chunk.parse(JSON.parse(line.slice('data: '.length))));
    const texts = ['', ''];
    for (const { index, delta } of chunks.flatMap(({ choices }) => choices))
      texts[index] = (texts[index] ?? '') + (delta.content ?? '');
    assert.deepEqual(
      texts,
      whole.choices.map(({ message }) => message.content),
    );
    assert.equal(chunks.at(-1)?.usage?.completion_tokens, whole.usage.completion_tokens);
  });

  it('refuses what it would have to ignore', async () => {
    const refused = async (body: object, status = 400, path = '/v1/chat/completions') =>
      errorSchema.parse(await call(path, { messages, ...body }, status)).error;
    assert.match((await refused({ top_p: 0.9 })).message, /top_p/);
    assert.match((await refused({ tools: [{}] })).message, /tools/);
    assert.match((await refused({ response_format: { type: 'json_object' } })).message, /response_format/);
    assert.match((await refused({ logit_bias: {} })).message, /logit_bias/);
    assert.match((await refused({ messages: [{ role: 'user', content: 'strange' }] })).message, /strange/);
    assert.equal((await refused({ max_tokens: 46 })).code, 'context_length_exceeded');
    assert.equal((await refused({ model: 'gpt' }, 404)).code, 'model_not_found');
    await chat({ top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1, presence_penalty: 0 });
  });

  it('lists base models and what was saved for sampling, and samples from both', async () => {
    const list = z.object({
      data: z.array(z.object({ id: z.string(), parent: z.string().nullable(), max_model_len: z.int() })),
    });
    const model = await server.model(0);
    await server.ask('save_weights_for_sampler', { model_id: model, seq_id: 1, path: 'v1' });
    const path = `tinker://${model}/sampler_weights/v1`;
    assert.deepEqual(list.parse(await server.get('/v1/models')).data, [
      { id: 'genenv/agent', parent: null, max_model_len: 48 },
      { id: 'genenv/environment', parent: null, max_model_len: 48 },
      { id: path, parent: 'genenv/agent', max_model_len: 48 },
    ]);
    assert.deepEqual((await chat({ model: path })).choices, (await chat({})).choices);
    const hosted = chatSchema.parse(await call('/oai/api/v1/chat/completions', { messages }));
    assert.equal(hosted.choices.length, 1);
  });

  it('counts for load displays', async () => {
    const before = await metric('generation_tokens_total');
    const { usage } = await chat({});
    assert.equal((await metric('generation_tokens_total')) - before, usage.completion_tokens);
    // It is counted as running until its answer has left, which is after this end has read it.
    const running = () => metric('num_requests_running\\{model_name="genenv/agent"\\}');
    await until('nothing to run any more', async () => (await running()) === 0);
  });

  async function metric(name: string): Promise<number> {
    const { bytes } = await server.send('GET', '/metrics');
    const value = new RegExp(`^genenv:${name} (.+)$`, 'm').exec(new TextDecoder().decode(bytes))?.[1];
    assert.ok(value !== undefined, `no ${name}`);
    return Number(value);
  }
});
