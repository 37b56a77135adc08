import assert from 'node:assert/strict';
import * as z from 'zod';
import { sampleResultSchema } from '../../../src/endpoints/tinker/wire/sampling.ts';
import { input, TestServer } from '../../support/serve/testServer.ts';

const pathSchema = z.object({ path: z.string() });

describe('a server that begins again', function () {
  this.timeout(240_000);
  const server = new TestServer();
  before(() => server.start());
  after(() => server.stop());

  it('has its checkpoints, and says what it forgot', async () => {
    const model = await server.model(0);
    const save = { model_id: model, seq_id: 1, path: 'kept' };
    const promise = await server.promise('save_weights', save);
    const { path } = pathSchema.parse(await server.result(promise));
    const forSampler = { model_id: model, seq_id: 2, path: 'v1' };
    const sampler = pathSchema.parse(await server.ask('save_weights_for_sampler', forSampler)).path;
    const session = await server.session();

    await server.server.restart();

    await server.post('session_heartbeat', { session_id: session }, 404);
    await server.post('get_info', { model_id: model }, 404);
    await server.post('retrieve_future', { request_id: promise }, 410);
    await server.post('save_weights', save, 404);
    const runs = z.object({ training_runs: z.array(z.object({ training_run_id: z.string(), lora_rank: z.int() })) });
    assert.deepEqual(runs.parse(await server.get('/api/v1/training_runs')).training_runs, [
      { training_run_id: model, lora_rank: 4 },
    ]);

    const again = z.object({ session_id: z.string() }).parse(await server.post('create_session', {})).session_id;
    await server.ask('load_weights', { session_id: again, model_seq_id: 0, path, optimizer: true });
    const asked = { model_path: sampler, prompt: input([1, 2]), sampling_params: { max_tokens: 4, seed: 1 } };
    assert.equal(sampleResultSchema.parse(await server.ask('asample', asked)).sequences.length, 1);
  });
});

describe('a session without a heartbeat', function () {
  this.timeout(240_000);
  const server = new TestServer();
  let now = 1_000_000;
  before(() => server.start({ now: () => now, sessionLifetime: 1000 }));
  after(() => server.stop());

  it('keeps its checkpoints when their time is not over', async () => {
    const model = await server.model(0);
    const save = { model_id: model, seq_id: 1, path: 'brief', ttl_seconds: 60 };
    const { path } = pathSchema.parse(await server.ask('save_weights', save));
    await server.post('weights_info', { tinker_path: path });
    now += 61_000;
    await server.post('weights_info', { tinker_path: path }, 404);
  });
});

describe('the key of a server', function () {
  this.timeout(240_000);
  const server = new TestServer();
  before(() => server.start({ key: 'tml-secret' }));
  after(() => server.stop());

  it('is asked for in either header, but not for what says that the server lives', async () => {
    const status = async (path: string, headers: Record<string, string>): Promise<number> =>
      (await server.send('GET', path, undefined, headers)).status;
    for (const path of ['/api/v1/sessions', '/v1/models']) {
      assert.equal(await status(path, {}), 401);
      assert.equal(await status(path, { 'x-api-key': 'tml-other' }), 401);
      assert.equal(await status(path, { 'x-api-key': 'tml-secret' }), 200);
      assert.equal(await status(path, { authorization: 'Bearer tml-secret' }), 200);
    }
    for (const path of ['/health', '/api/v1/healthz', '/metrics', '/tokenizers/agent/tokenizer.json']) {
      assert.equal(await status(path, {}), 200);
    }
  });
});
