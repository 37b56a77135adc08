/** Sequences that fill a model's context: to score one is to sample a token after it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { SampleRequest } from '../../../../src/engine/ports.ts';
import { NodeHttpClient } from '../../../../src/endpoints/http/nodeHttpClient.ts';
import { AskedSamples } from '../../../../src/endpoints/tinker/askedSamples.ts';
import { Connection } from '../../../../src/endpoints/tinker/connection.ts';
import { readFacts } from '../../../../src/endpoints/tinker/facts.ts';
import { Ledger } from '../../../../src/endpoints/tinker/ledger.ts';
import { Sampler } from '../../../../src/endpoints/tinker/sampler.ts';
import { machineTime } from '../../../../src/endpoints/time.ts';
import { sendJson, TestServer } from '../../../support/endpoints/httpServer.ts';

const context = 16;
const prompt = [1, 2, 3, 4];
const never = new AbortController().signal;

const sampleSchema = z.object({
  prompt: z.object({ chunks: z.array(z.object({ tokens: z.array(z.int()) })) }),
  sampling_params: z.object({ max_tokens: z.int() }),
});

/** A server that writes as many tokens as it may, and refuses what its context does not hold. */
async function withSampler(
  of: { own?: object; prompt?: readonly number[] },
  work: (sampler: Sampler) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-full-'));
  let promised: object = {};
  const server = await TestServer.start((response, { path, body }) => {
    const name = path.split('/').at(-1);
    if (name === 'asample') {
      const { prompt: given, sampling_params: params } = sampleSchema.parse(JSON.parse(body));
      const tokens = given.chunks.flatMap((chunk) => chunk.tokens);
      if (tokens.length + params.max_tokens > context) {
        const detail = "Prompt length plus max_tokens exceeds the model's context window";
        sendJson(response, { detail }, 400);
        return;
      }
      const written = Array.from({ length: params.max_tokens }, () => 7);
      promised = {
        sequences: [{ stop_reason: 'length', tokens: written, logprobs: written.map(() => -0.5) }],
        prompt_logprobs: tokens.map((_, i) => (i === 0 ? null : -1)),
      };
    }
    const answers = new Map<string | undefined, object>([
      ['get_server_capabilities', { supported_models: [{ model_name: 'm', max_context_length: context }], ...of.own }],
      ['create_session', { session_id: 's' }],
      ['create_sampling_session', { sampling_session_id: 'ss' }],
      ['asample', { request_id: 'p' }],
      ['retrieve_future', promised],
    ]);
    sendJson(response, answers.get(name) ?? {});
  });
  const http = new NodeHttpClient({ url: server.url, tries: 1 });
  const log = { info: () => undefined, warn: () => undefined };
  const ledger = await Ledger.open(join(folder, 'ledger.jsonl'));
  const connection = new Connection({ http, ledger, log, time: machineTime });
  const tokens = {
    ...{
      prompt: () => [...(of.prompt ?? prompt)],
      stop: [5],
      decode: () => 'x',
      render: () => ({ tokens: [], spans: [] }),
    },
  };
  const asked = await AskedSamples.open(join(folder, 'asked.jsonl'));
  try {
    const facts = await readFacts(http, never);
    await work(new Sampler(connection, tokens, asked, facts.longestOf('m')));
  } finally {
    connection.close();
    await asked.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

const request: SampleRequest = { id: 'r', messages: [], n: 1, seed: 1, maxTokens: 64, temperature: 1 };

describe('tinker: a sequence that fills the context', () => {
  for (const bounds of [{}, { maxSequence: context }, { maxSequence: context + 9 }]) {
    it(`is sampled no longer than it can be scored, bounds ${JSON.stringify(bounds)}`, () =>
      withSampler({}, async (sampler) => {
        const [completion] = await sampler.complete('base:m', { ...request, ...bounds }, false, never);
        const { promptTokens = [], tokens = [] } = completion ?? {};
        assert.equal(promptTokens.length + tokens.length, context - 1);
        const scored = await sampler.score('base:m', [...promptTokens, ...tokens], never);
        assert.equal(scored.length, context - 1);
      }));
  }

  it('is refused where its prompt leaves no room, before it is asked for', () =>
    withSampler({ prompt: Array.from({ length: context - 1 }, () => 1) }, async (sampler) => {
      await assert.rejects(
        sampler.complete('base:m', { ...request, maxTokens: 1 }, false, never),
        /the prompt has 15 tokens, and the context leaves room for 14\. Shorten the prompt/,
      );
    }));

  it('may be full on `genenv serve`, which scores it all the same', () =>
    withSampler({ own: { genenv: { deterministic: false } } }, async (sampler) => {
      const [completion] = await sampler.complete('base:m', request, false, never);
      assert.equal((completion?.promptTokens.length ?? 0) + (completion?.tokens.length ?? 0), context);
    }));
});
