import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adapterHandle } from '../../../../src/endpoints/openai/adapters/adapterHandle.ts';
import { machineTime, type Time } from '../../../../src/endpoints/time.ts';
import type { FailedCompletion, Policy, SampleRequest } from '../../../../src/engine/ports.ts';
import { agreedKeys } from '../../../support/agreedKeys.ts';
import { openOpenai } from '../../../../src/launch/policies/openOpenai.ts';
import { Schedulers } from '../../../../src/launch/policies/schedulers.ts';
import { defined } from '../../../../src/shared/defined.ts';
import { endpointDefaults } from '../../../../src/shared/experiment/endpoints/endpoint.ts';
import { FastTime } from '../../../support/endpoints/fastTime.ts';
import { context, FakeServer, slots, type Kind } from '../../../support/openai/fakeServer.ts';
import { bytePairTokenizer, chatTemplate } from '../../../support/tokens/smallTokenizer.ts';
import { fromSources } from '../../../support/fromSources.ts';
import type { Completion } from '../../../../src/engine/completion.ts';

const request = (over: Partial<SampleRequest> = {}): SampleRequest => ({
  ...{ id: 'a', messages: [{ role: 'user', content: 'one two three' }], n: 3, seed: 5, maxTokens: 8, temperature: 1 },
  ...over,
});

describe('an OpenAI-compatible endpoint', () => {
  const never = new AbortController().signal;
  const servers: FakeServer[] = [];
  const policies: Policy[] = [];
  const said: string[] = [];

  afterEach(async () => {
    await Promise.all(policies.splice(0).map((policy) => policy.dispose()));
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    said.length = 0;
  });

  async function start(kind: Kind): Promise<FakeServer> {
    const server = await new FakeServer(kind).start();
    servers.push(server);
    return server;
  }

  async function open(over: Partial<(typeof endpointDefaults)['openai']>, time: Time = machineTime): Promise<Policy> {
    const log = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) };
    const needs = {
      ...{ dir: '', dist: fromSources, time, schedulers: new Schedulers(time) },
      ...{ log, keys: agreedKeys({}), signal: never },
    };
    const policy = await openOpenai({ ...endpointDefaults.openai, model: 'qwen', ...over }, 'agent', needs);
    policies.push(policy);
    return policy;
  }

  async function sample(policy: Policy, ...requests: SampleRequest[]): Promise<(Completion | FailedCompletion)[]> {
    const version = await policy.publish('agent@0');
    const all = await Array.fromAsync(policy.sample(version, requests, never));
    return all.sort((a, b) => a.requestId.localeCompare(b.requestId) || a.index - b.index);
  }

  const texts = (completions: readonly (Completion | FailedCompletion)[]) =>
    completions.map((completion) => ('failure' in completion ? completion.failure : completion.text));

  const requestsOf: Record<Kind, number> = { vllm: 1, sglang: 3, 'llama.cpp': 3, ollama: 3 };
  const whole: Record<Kind, object> = {
    vllm: { top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 },
    sglang: { top_p: 1, top_k: -1, min_p: 0, repetition_penalty: 1 },
    'llama.cpp': { top_p: 1, top_k: 0, min_p: 0, repeat_penalty: 1 },
    ollama: { top_p: 1 },
  };

  for (const kind of ['vllm', 'sglang', 'llama.cpp', 'ollama'] as const) {
    it(`gives as many completions as are asked for, all different, on ${kind}`, async () => {
      const server = await start(kind);
      const policy = await open({ url: server.url });
      const { mode, maxContext, losses, score } = policy.capabilities;
      assert.deepEqual(
        { mode, maxContext, losses, score },
        { mode: 'frozen', maxContext: context, losses: [], score: false },
      );
      assert.ok(!('accumulate' in policy) && !('step' in policy));
      const probes = server.bodies.length;
      const completions = await sample(policy, request());
      assert.deepEqual(
        completions.map(({ index }) => index),
        [0, 1, 2],
      );
      assert.equal(new Set(texts(completions)).size, 3);
      const bodies = server.bodies.slice(probes);
      assert.equal(bodies.length, requestsOf[kind]);
      for (const body of bodies) {
        assert.deepEqual({ ...body, temperature: 1, ...whole[kind] }, body);
      }
    });
  }

  it('has token ids and logprobs where the server tells them, and none elsewhere', async () => {
    for (const [kind, told] of [
      ['vllm', true],
      ['sglang', true],
      ['llama.cpp', false],
      ['ollama', false],
    ] as const) {
      const policy = await open({ url: (await start(kind)).url });
      for (const completion of await sample(policy, request())) {
        assert.ok('tokens' in completion, kind);
        const { promptTokens, tokens, logprobs } = completion;
        assert.deepEqual([promptTokens.length, tokens.length, logprobs], told ? [3, 1, [-0.5]] : [0, 0, []], kind);
      }
    }
  });

  it('has a server’s own count of tokens where it tells no ids', async () => {
    const [ollama, vllm] = [await start('ollama'), await start('vllm')];
    const [counted] = await sample(await open({ url: ollama.url }), request({ n: 1 }));
    assert.ok(counted !== undefined && 'tokens' in counted);
    assert.deepEqual([counted.tokens, counted.counted], [[], { prompt: 3, answer: 1 }]);
    const [told] = await sample(await open({ url: vllm.url }), request({ n: 1 }));
    assert.ok(told !== undefined && 'tokens' in told && told.tokens.length > 0);
    assert.equal(told.counted, undefined, 'its ids are counted');
  });

  it('leaves out logprobs of another distribution than the one that was sampled from', async () => {
    const policy = await open({ url: (await start('vllm')).url });
    const [warm] = await sample(policy, request({ temperature: 0.7, n: 1 }));
    assert.ok(warm !== undefined && 'tokens' in warm);
    assert.deepEqual([warm.tokens.length, warm.logprobs], [1, []]);
  });

  it('asks for what a resumed run still misses with other seeds than the whole had', async () => {
    const server = await start('vllm');
    const policy = await open({ url: server.url });
    const first = await sample(policy, request());
    const rest = await sample(policy, request({ only: [1, 2] }));
    assert.deepEqual(
      rest.map(({ index }) => index),
      [1, 2],
    );
    assert.equal(new Set([...texts(first), ...texts(rest)]).size, 5);
  });

  it('samples the adapter that a version names', async () => {
    const server = await start('vllm');
    server.adapters?.loaded.set('run-agent-3', '/srv/agent-3');
    const policy = await open({ url: server.url });
    const version = { name: 'agent@3', handle: adapterHandle('run-agent-3') };
    await Array.fromAsync(policy.sample(version, [request()], never));
    assert.equal(server.bodies.at(-1)?.model, 'run-agent-3');
    await sample(policy, request());
    assert.equal(server.bodies.at(-1)?.model, 'qwen');
  });

  it('keeps reasoning apart from the answer', async () => {
    const server = await start('sglang');
    const policy = await open({ url: server.url });
    server.says = (seed) =>
      seed % 2 === 0
        ? { content: 'four', reasoning_content: 'two and two' }
        : { content: '<think>\ntwo and two\n</think>\n\nfour' };
    for (const completion of await sample(policy, request({ n: 8 }))) {
      assert.ok('tokens' in completion);
      assert.deepEqual([completion.text, completion.reasoning], ['four', 'two and two']);
    }
  });

  it('sends a conversation without what only the loop knows of it', async () => {
    const server = await start('ollama');
    const policy = await open({ url: server.url });
    const messages: SampleRequest['messages'] = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', tokens: [1, 2], reasoning: 'hm' },
      { role: 'tool', content: 'c', name: 'f' },
    ];
    await sample(policy, request({ messages, n: 1 }));
    assert.deepEqual(server.bodies.at(-1)?.messages, [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
      { role: 'tool', content: 'c', tool_call_id: 'call00001' },
    ]);
  });

  it('says of one conversation that it is too long, and goes on with the others', async () => {
    for (const kind of ['vllm', 'sglang', 'llama.cpp'] as const) {
      const policy = await open({ url: (await start(kind)).url });
      const long = request({ id: 'b', n: 1, messages: [{ role: 'user', content: 'word '.repeat(context) }] });
      const [good, bad] = await sample(policy, request({ n: 1 }), long);
      assert.ok(good !== undefined && 'text' in good, kind);
      assert.ok(bad !== undefined && 'failure' in bad, kind);
      assert.match(bad.failure, /8 new tokens do not fit the model’s context: .*maximum context length is 64/);
    }
  });

  it('has no more in flight than llama.cpp has slots', async () => {
    const server = await start('llama.cpp');
    const policy = await open({ url: server.url });
    assert.equal((await sample(policy, request({ n: 9 }))).length, 9);
    assert.equal(server.most, slots);
  });

  it('goes on with the replica that works', async () => {
    const [one, other] = [await start('vllm'), await start('vllm')];
    const policy = await open({ url: `${one.url}, ${other.url}` }, new FastTime(1000));
    other.broken = 500;
    const requests = Array.from({ length: 6 }, (_, i) => request({ id: `r${i}`, n: 1 }));
    assert.deepEqual(texts(await sample(policy, ...requests)), Array(6).fill('answer 5'));
    assert.ok(other.bodies.length > 0);
    one.broken = 500;
    const [failed] = await sample(policy, request({ n: 1 }));
    assert.ok(failed !== undefined && 'failure' in failed);
    assert.match(failed.failure, /CUDA error/);
  });

  it('says what keeps it from being used', async () => {
    const { url } = await start('vllm');
    await assert.rejects(open({ url, model: 'llama' }), /does not serve the model "llama".*It serves qwen\./);
    await assert.rejects(open({ url: url.replace('/v1', '/elsewhere') }), /usually ends in \/v1/);
    await assert.rejects(open({ url, key: '${env:NO_KEY}' }), /NO_KEY holds no key/);
  });

  describe('whose model’s tokenizer is known', () => {
    const folder = mkdtempSync(join(tmpdir(), 'genenv-openai-'));
    const { tokenizer, config } = bytePairTokenizer();

    before(() => {
      writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
      writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
      writeFileSync(join(folder, 'chat_template.jinja'), chatTemplate);
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    it('takes and gives token ids on vLLM, and scores', async () => {
      const server = await start('vllm');
      const policy = await open({ url: server.url, tokenizer: folder });
      assert.equal(policy.capabilities.score, true);
      const completions = await sample(policy, request({ n: 2 }));
      const body = server.bodies.at(-1);
      const prompt = body?.prompt ?? [];
      assert.ok(prompt.length > 3 && Array.isArray(body?.['stop_token_ids']));
      for (const completion of completions) {
        assert.ok('tokens' in completion);
        assert.deepEqual(completion.promptTokens, prompt);
        assert.deepEqual(
          [completion.tokens, completion.logprobs],
          [
            [104, 105],
            [-0.25, -0.5],
          ],
        );
      }
      const version = await policy.publish('agent@0');
      assert.deepEqual(await policy.score?.(version, [[7, 8, 9], [4]], never), [[0, -1, -2], [0]]);
      server.adapters?.disk.set('/a', 0.5);
      server.adapters?.loaded.set('a', '/a');
      const adapted = { name: 'agent@1', handle: adapterHandle('a') };
      assert.deepEqual(await policy.score?.(adapted, [[7, 8, 9]], never), [[0, -1.5, -2.5]]);
    });

    it('keeps prompt and answer within a bound together, since it counts the prompt', async () => {
      const server = await start('vllm');
      const policy = await open({ url: server.url, tokenizer: folder });
      await sample(policy, request({ n: 1 }));
      const length = server.bodies.at(-1)?.prompt?.length ?? 0;
      for (const [maxSequence, most] of [
        [length + 5, 5],
        [length + 50, 8],
        [length, 1],
      ] as const) {
        await sample(policy, request({ n: 1, maxSequence }));
        assert.equal(server.bodies.at(-1)?.['max_tokens'], most);
      }
    });

    it('leaves room for the token that scoring takes, where the answer would fill the context', async () => {
      const server = await start('vllm');
      const policy = await open({ url: server.url, tokenizer: folder });
      assert.equal(policy.capabilities.longest, context - 1);
      await sample(policy, request({ n: 1 }));
      const length = server.bodies.at(-1)?.prompt?.length ?? 0;
      for (const maxSequence of [undefined, context, context + 5]) {
        await sample(policy, request({ n: 1, maxTokens: context, ...defined({ maxSequence }) }));
        assert.equal(server.bodies.at(-1)?.['max_tokens'], context - 1 - length);
      }
    });

    it('reads token ids from an older vLLM, which has them in place of texts', async () => {
      const server = await start('vllm');
      server.older = true;
      const policy = await open({ url: server.url, tokenizer: folder });
      const [completion] = await sample(policy, request({ n: 1 }));
      assert.ok(completion !== undefined && 'tokens' in completion);
      assert.deepEqual([completion.tokens, completion.logprobs.length], [[104, 105], 2]);
      assert.ok(completion.promptTokens.length > 3);
    });

    it('is told before Ollama drops messages without a word', async () => {
      const policy = await open({ url: (await start('ollama')).url, tokenizer: folder });
      const [long] = await sample(policy, request({ n: 1, messages: [{ role: 'user', content: '9'.repeat(100) }] }));
      assert.ok(long !== undefined && 'failure' in long);
      assert.match(long.failure, /exceed its context length of 64/);
    });
  });
});
