/** One contract for every client: an answer that does not validate is asked for again, and in the end named. */
import assert from 'node:assert/strict';
import * as z from 'zod';
import { EndpointError } from '../../../src/endpoints/endpointError.ts';
import { NodeHttpClient } from '../../../src/endpoints/http/nodeHttpClient.ts';
import { sendForJson } from '../../../src/endpoints/http/json.ts';
import { dialects } from '../../../src/endpoints/openai/dialect.ts';
import { Server } from '../../../src/endpoints/openai/server.ts';
import { kindOf, modelsOf } from '../../../src/endpoints/openai/serverKind.ts';
import { readClientConfig } from '../../../src/endpoints/tinker/clientConfig.ts';
import { readFacts } from '../../../src/endpoints/tinker/facts.ts';
import { promiseSchema } from '../../../src/endpoints/tinker/wire/replies.ts';
import { RayLauncher } from '../../../src/endpoints/verl/launchers/rayLauncher.ts';
import { environmentKeys } from '../../../src/launch/access/keys.ts';
import { openaiConnection } from '../../../src/launch/policies/openaiClient.ts';
import { FastTime } from '../../support/endpoints/fastTime.ts';
import { sendJson, TestServer, type Handler } from '../../support/endpoints/httpServer.ts';
import { spoiling, spoilt } from '../../support/endpoints/spoilt.ts';

const { signal } = new AbortController();
// Slow enough that no try seems to take minutes.
const time = new FastTime(100);
const messages = [{ role: 'user' as const, content: 'one' }];
const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'two' } }];
const place = { id: 'job', folder: '/tmp/job' };

/** The undisturbed answer of each path. */
const right: Readonly<Record<string, unknown>> = {
  '/v1/models': { object: 'list', data: [{ id: 'qwen', owned_by: 'other' }] },
  '/v1/chat/completions': { choices, usage: { prompt_tokens: 1, completion_tokens: 1 } },
  '/props': { total_slots: 2, default_generation_settings: { n_ctx: 512 } },
  '/api/version': { version: '4', ray_version: '2.50' },
  '/api/jobs/job': { status: 'RUNNING', message: 'on it' },
  '/api/jobs/job/logs': { logs: 'printed' },
  '/api/jobs/': { submission_id: 'job' },
  '/api/v1/get_server_capabilities': { supported_models: [{ model_name: 'qwen' }], genenv: { deterministic: true } },
  '/api/v1/client/config': { fwdbwd_max_chunk_len: 7 },
  '/api/v1/asample': { request_id: 'r1' },
};

const answer: Handler = (response, { path }) => {
  const body = right[path];
  if (body === undefined) sendJson(response, { detail: 'Not Found' }, 404);
  else sendJson(response, body);
};

type Ask = (url: string) => Promise<unknown>;

const http = (url: string) => new NodeHttpClient({ url, time });
const openai = (url: string) => openaiConnection({ root: url, api: '/v1' }, null, environmentKeys({}), { time });

/** One call a kind of answer, with what it gives when it is well. */
const calls: Readonly<Record<string, [ask: Ask, gives: unknown]>> = {
  'tinker: what a server serves': [
    async (url) => {
      const { models, deterministic } = await readFacts(http(url), signal);
      return { models, deterministic };
    },
    { models: ['qwen'], deterministic: true },
  ],
  'tinker: a promise': [
    (url) => sendForJson(http(url), { method: 'POST', path: '/api/v1/asample', body: {} }, promiseSchema, signal),
    { request_id: 'r1' },
  ],
  'openai: models': [async (url) => (await modelsOf(openai(url), signal)).map(({ id }) => id), ['qwen']],
  'openai: a chat': [
    async (url) => {
      const server = new Server([openai(url)], 'qwen', dialects.unknown);
      const asked = { messages, n: 1, seed: 1, maxTokens: 4, temperature: 1 };
      return (await server.chat(0, asked, false, signal)).map(({ text }) => text);
    },
    ['two'],
  ],
  'openai: the kind of server': [async (url) => (await kindOf(openai(url), undefined, signal)).kind, 'llama.cpp'],
  'Ray: its version': [(url) => new RayLauncher(http(url), time).check(signal), 'Ray 2.50'],
  'Ray: how a job is': [
    (url) => new RayLauncher(http(url), time).status(place, signal),
    { state: 'running', message: 'on it', exitCode: null },
  ],
  'Ray: what a job prints': [(url) => new RayLauncher(http(url), time).log(place, 0, signal), 'printed'],
  'Ray: a job submitted': [
    (url) => new RayLauncher(http(url), time).submit({ ...place, environment: {}, about: {} }, signal),
    undefined,
  ],
};

describe('an answer that does not validate', () => {
  let server: TestServer | null = null;

  afterEach(async () => {
    await server?.stop();
    server = null;
  });

  for (const [call, [ask, gives]] of Object.entries(calls)) {
    it(`is asked for again, however it was spoilt (${call})`, async () => {
      for (const [name, how] of Object.entries(spoilt)) {
        server = await TestServer.start(spoiling(how, 2, answer));
        assert.deepEqual(await ask(server.url), gives, name);
        assert(server.asked.length >= 3, name);
        await server.stop();
      }
    });
  }

  for (const [call, [ask]] of Object.entries(calls).filter(([name]) => !name.includes('kind'))) {
    it(`is named when none other comes, after a bounded number of tries (${call})`, async () => {
      server = await TestServer.start(spoiling(spoilt['null'] ?? assert.fail(), Infinity, answer));
      await assert.rejects(ask(server.url), (error) => {
        assert(EndpointError.is(error, 'malformed'), String(error));
        assert.match(error.message, /its JSON is not as expected.*begins: null.*after 5 attempts/);
        return true;
      });
    });
  }

  it('of a hint is passed over after a few tries', async () => {
    server = await TestServer.start(spoiling(spoilt['a page'] ?? assert.fail(), 2, answer));
    assert.equal((await readClientConfig(http(server.url), '1', signal)).chunk.datums, 7);
    await server.stop();
    server = await TestServer.start(spoiling(spoilt['a page'] ?? assert.fail(), Infinity, answer));
    assert.equal((await readClientConfig(http(server.url), '1', signal)).chunk.datums, 1024);
    assert.equal(server.asked.length, 4);
  });

  it('in place of a promise is no promise', () => {
    for (const wrong of [{}, { request_id: null }, { request_id: {} }, null]) {
      assert.equal(promiseSchema.safeParse(wrong).success, false);
    }
    assert.deepEqual(promiseSchema.parse({ request_id: 5 }), { request_id: '5' });
    assert.deepEqual(z.object({ request_id: z.string() }).parse(promiseSchema.parse({ request_id: 'a' })), {
      request_id: 'a',
    });
  });
});
