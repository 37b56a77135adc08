import assert from 'node:assert/strict';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import * as z from 'zod';
import { EmbeddedPolicy } from '../../../src/endpoints/embedded/embeddedPolicy.ts';
import { decodeSampleResult, sampleResultSchema } from '../../../src/endpoints/tinker/wire/sampling.ts';
import {
  decodeTrainResult,
  encodeTrainRequest,
  trainRequestJson,
  trainResultOf,
  trainResultSchema,
  type TrainRequest,
} from '../../../src/endpoints/tinker/wire/training.ts';
import { kernelBytes } from '../../support/embedded/kernels.ts';
import { input, smallWeights, TestServer, worker } from '../../support/serve/testServer.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

const pathSchema = z.object({ path: z.string() });
const protobuf = 'application/x-protobuf';

/** A sequence of 6 tokens, the last three of them sampled. */
const datum = {
  tokens: [1, 2, 3, 4, 5],
  inputs: { target_tokens: [2, 3, 4, 5, 6], logprobs: [0, 0, -3, -3.2, -2.9], advantages: [0, 0, 1, -1, 2] },
};

function training(modelId: string, seqId: number, over: Partial<TrainRequest> = {}): TrainRequest {
  return { modelId, seqId, data: [datum], loss: 'importance_sampling', config: {}, forwardOnly: false, ...over };
}

describe('the Tinker protocol', function () {
  this.timeout(240_000);
  const server = new TestServer();

  before(() => server.start({ pollMilliseconds: 150 }));
  after(() => server.stop());

  const train = async (request: TrainRequest) =>
    trainResultOf(trainResultSchema.parse(await server.ask('forward_backward', trainRequestJson(request))));
  const step = (model_id: string, seq_id: number) =>
    server.ask('optim_step', { model_id, seq_id, adam_params: { learning_rate: 0.01 } });
  const sample = async (session: string, seq_id: number, over: object = {}, params: object = {}) =>
    sampleResultSchema.parse(
      await server.ask('asample', {
        ...{ sampling_session_id: session, seq_id, num_samples: 2, prompt: input([1, 2, 3]) },
        sampling_params: { max_tokens: 8, seed: 5, temperature: 1, top_k: -1, top_p: 1, ...params },
        ...over,
      }),
    );
  let numbers = 0;
  const next = () => numbers++;

  it('says what it has', async () => {
    const capabilities = z
      .object({
        supported_models: z.array(z.object({ model_name: z.string(), max_context_length: z.int() })),
        genenv: z.object({ deterministic: z.boolean() }),
      })
      .parse(await server.get('/api/v1/get_server_capabilities'));
    assert.deepEqual(capabilities, {
      supported_models: [
        { model_name: 'genenv/agent', max_context_length: 48 },
        { model_name: 'genenv/environment', max_context_length: 48 },
      ],
      genenv: { deterministic: true },
    });
    assert.deepEqual(await server.get('/api/v1/healthz'), { status: 'ok' });
  });

  it('gives one session for one idempotency key', async () => {
    const headers = { 'x-idempotency-key': 'k1' };
    const [a, b] = [1, 2].map(() => server.send('POST', '/api/v1/create_session', {}, headers));
    assert.deepEqual((await a)?.json, (await b)?.json);
    await server.post('session_heartbeat', { session_id: await server.session() });
    await server.post('session_heartbeat', { session_id: 'nobody' }, 404);
  });

  it('ends a session that its client finishes, however often it says so', async () => {
    const { session_id: id } = z.object({ session_id: z.string() }).parse(await server.post('create_session', {}));
    for (const type of ['success', 'errored']) {
      const body = { reason: { type }, detail: null };
      assert.equal((await server.send('POST', `/api/v1/sessions/${id}/finish`, body)).status, 204);
    }
    await server.post('session_heartbeat', { session_id: id }, 404);
  });

  it('samples what the embedded endpoint samples', async () => {
    const weights = smallWeights(7);
    const policy = await EmbeddedPolicy.load({
      name: 'agent',
      weights,
      worker,
      kernels: kernelBytes(),
      checkpoints: '',
    });
    try {
      const version = await policy.publish('agent@0');
      const messages = [{ role: 'user', content: 'w1 w2 w3' } as const];
      const request = { id: 'a', messages, n: 4, seed: 5, maxTokens: 8, temperature: 1 };
      const expected = await Array.fromAsync(policy.sample(version, [request], new AbortController().signal));
      const session = await server.sampling(next(), { base_model: 'genenv/agent' });
      const { sequences } = await sample(session, 1, { num_samples: 4 });
      assert.deepEqual(
        sequences,
        expected.map(({ tokens, logprobs, stopReason }) => ({ stop_reason: stopReason, tokens, logprobs })),
      );
      const scored = await policy.score(version, [[1, 2, 3, 4]], new AbortController().signal);
      const { prompt_logprobs } = await sample(session, 2, { prompt: input([1, 2, 3, 4]), prompt_logprobs: true });
      assert.deepEqual(prompt_logprobs, [null, ...(scored[0] ?? []).slice(1)]);
    } finally {
      await policy.dispose();
    }
  });

  it('stops at ids and texts, with the stop in the answer', async () => {
    const session = await server.sampling(next(), { base_model: 'genenv/agent' });
    const free = (await sample(session, 1)).sequences[0];
    const tokens = free?.tokens ?? [];
    const third = tokens[2] ?? -1;
    const cut = tokens.slice(0, tokens.indexOf(third) + 1);
    for (const [i, stop] of [[third], `w${third}`, ['nothing', `w${third}`]].entries()) {
      const stopped = (await sample(session, 10 + i, {}, { stop })).sequences[0];
      assert.deepEqual(stopped?.tokens, cut);
      assert.equal(stopped.stop_reason, 'stop');
      assert.equal(stopped.logprobs?.length, cut.length);
    }
  });

  it('refuses to sample otherwise than it can', async () => {
    const session = await server.sampling(next(), { base_model: 'genenv/agent' });
    const refused = async (seq_id: number, sampling_params: object, prompt = [1]) => {
      const body = { sampling_session_id: session, seq_id, prompt: input(prompt), sampling_params };
      return z.object({ error: z.string(), category: z.literal('user') }).parse(await server.ask('asample', body))
        .error;
    };
    assert.match(await refused(1, { max_tokens: 2, top_p: 0.9 }), /top_p/);
    assert.match(await refused(2, { max_tokens: 2, top_k: 3 }), /top_k/);
    assert.match(await refused(3, { max_tokens: 48 }), /exceeds the model's context window: 1 \+ 48 > 48/);
    assert.match(await refused(4, { max_tokens: 2 }, [1, 99]), /Token 99/);
    assert.match(await refused(5, { max_tokens: 2 }, []), /empty/);
  });

  it('scores a prompt that fills the context', async () => {
    const session = await server.sampling(next(), { base_model: 'genenv/agent' });
    const full = Array.from({ length: 48 }, (_, i) => (i % 20) + 1);
    const asked = { prompt: input(full), num_samples: 1, prompt_logprobs: true };
    const { prompt_logprobs, sequences } = await sample(session, 1, asked, { max_tokens: 1 });
    assert.equal(prompt_logprobs?.length, 48);
    assert.deepEqual(sequences[0]?.tokens, []);
  });

  it('gives a sample id for every sample, with the promise', async () => {
    const session = await server.sampling(next(), { base_model: 'genenv/agent' });
    const body = {
      sampling_session_id: session,
      seq_id: 1,
      num_samples: 3,
      prompt: input([1]),
      sampling_params: { max_tokens: 2 },
    };
    const { sample_sequence_ids } = z
      .object({ sample_sequence_ids: z.array(z.string()) })
      .parse(await server.post('asample', body));
    assert.equal(new Set(sample_sequence_ids).size, 3);
  });

  it('sums every loss over its tokens', async () => {
    const model = await server.model(next());
    const [p, q, a] = [
      (await train(training(model, 1))).logprobs[0] ?? [],
      datum.inputs.logprobs,
      datum.inputs.advantages,
    ];
    const ratio = p.map((value, i) => Math.exp(value - (q[i] ?? outOfRange())));
    const sum = (term: (r: number, adv: number, logprob: number) => number) =>
      ratio.reduce((total, r, i) => total - term(r, a[i] ?? outOfRange(), p[i] ?? outOfRange()), 0);
    const clip = (r: number): number => Math.min(Math.max(r, 0.9), 1.3);
    const config = { clip_low_threshold: 0.9, clip_high_threshold: 1.3 };
    const weighted = { ...datum, inputs: { target_tokens: datum.inputs.target_tokens, weights: [0, 0.5, 1, -1, 2] } };
    const cases: [Partial<TrainRequest>, number][] = [
      [{}, sum((r, adv) => r * adv)],
      [{ loss: 'ppo', config }, sum((r, adv) => Math.min(r * adv, clip(r) * adv))],
      [{ loss: 'cispo', config }, sum((r, adv, logprob) => clip(r) * logprob * adv)],
      [
        { loss: 'cross_entropy', data: [weighted] },
        p.reduce((total, logprob, i) => total - logprob * (weighted.inputs.weights[i] ?? outOfRange()), 0),
      ],
    ];
    let seq = 2;
    for (const [over, expected] of cases) {
      const backward = await train(training(model, seq++, over));
      const only = trainRequestJson(training(model, seq++, { ...over, forwardOnly: true }));
      const forward = trainResultOf(trainResultSchema.parse(await server.ask('forward', only)));
      for (const { metrics } of [backward, forward]) {
        assert.ok(Math.abs((metrics['loss:sum'] ?? NaN) - expected) < 1e-5, `${over.loss ?? ''} ${expected}`);
        assert.deepEqual(
          Object.keys(metrics).filter((key) => key.split(':').length !== 2),
          [],
        );
      }
      assert.deepEqual(forward.logprobs, backward.logprobs);
    }
  });

  it('adds gradients until a step, and clears them with it', async () => {
    const norm = async (model: string, seq: number) =>
      z.object({ metrics: z.object({ grad_norm: z.number() }) }).parse(await step(model, seq)).metrics.grad_norm;
    const [one, two] = [await server.model(next()), await server.model(next())];
    await train(training(one, 1));
    await train(training(two, 1, { data: [datum] }));
    await train(training(two, 2, { data: [datum] }));
    const single = await norm(one, 2);
    assert.ok(Math.abs((await norm(two, 3)) / single - 2) < 1e-4);
    assert.equal(await norm(two, 4), 0);
  });

  it('runs by number, and says what a request waits for', async () => {
    const model = await server.model(next());
    const later = await server.promise('optim_step', { model_id: model, seq_id: 2, adam_params: {} });
    const waiting = z
      .object({ type: z.literal('try_again'), queue_state: z.string(), queue_state_reason: z.string() })
      .parse(await server.post('retrieve_future', { request_id: later }));
    assert.match(waiting.queue_state_reason, /seq_id 1 of/);
    assert.equal(waiting.queue_state, 'paused_capacity');
    await train(training(model, 1));
    const done = z.object({ metrics: z.object({ grad_norm: z.number() }) });
    assert.ok(done.parse(await server.result(later)).metrics.grad_norm > 0);
  });

  it('gives one promise for one number, and refuses another body', async () => {
    const model = await server.model(next());
    const body = { model_id: model, seq_id: 1, adam_params: { learning_rate: 0.1 } };
    assert.equal(await server.promise('optim_step', body), await server.promise('optim_step', body));
    await server.post('optim_step', { ...body, adam_params: { learning_rate: 0.2 } }, 409);
    await server.post('save_weights', { model_id: model, seq_id: 1, path: 'a' }, 409);
    const create = { session_id: await server.session(), model_seq_id: numbers - 1, base_model: 'genenv/agent' };
    await server.post('create_model', { ...create, lora_config: { rank: 99 } }, 409);
    const session = await server.sampling(next(), { base_model: 'genenv/agent' });
    const asked = { sampling_session_id: session, seq_id: 1, prompt: input([1]), sampling_params: { max_tokens: 1 } };
    assert.equal(await server.promise('asample', asked), await server.promise('asample', asked));
    await server.post('asample', { ...asked, prompt: input([2]) }, 409);
  });

  it('tells a forgotten promise from one that never was', async () => {
    await server.post('retrieve_future', { request_id: '0123abcd-7' }, 410);
    await server.post('retrieve_future', { request_id: 'nonsense' }, 404);
  });

  it('takes JSON and protobuf, packed or not, and answers in what is accepted', async () => {
    const model = await server.model(next());
    const expected = await train(training(model, 1));
    const packings = { identity: (bytes: Uint8Array) => bytes, gzip: gzipSync, zstd: zstdCompressSync };
    let seq = 2;
    for (const [encoding, pack] of Object.entries(packings)) {
      const bytes = pack(encodeTrainRequest(training(model, seq++)));
      const headers = { 'content-type': protobuf, 'content-encoding': encoding };
      const sent = await server.send('POST', '/api/v1/forward_backward', bytes, headers);
      const { request_id } = z.object({ request_id: z.string() }).parse(sent.json);
      await server.result(request_id);
      const answer = await server.send('POST', '/api/v1/retrieve_future', sent.json, { accept: protobuf });
      assert.equal(answer.headers.get('content-type'), protobuf);
      assert.deepEqual(decodeTrainResult(answer.bytes), expected);
    }
    const session = await server.sampling(next(), { base_model: 'genenv/agent' });
    const asked = { sampling_session_id: session, seq_id: 1, prompt: input([1, 2]), prompt_logprobs: true };
    const request_id = await server.promise('asample', { ...asked, sampling_params: { max_tokens: 4, seed: 1 } });
    const result = await server.result(request_id);
    const { bytes } = await server.send('POST', '/api/v1/retrieve_future', { request_id }, { accept: protobuf });
    const { sequences, promptLogprobs } = decodeSampleResult(bytes);
    const json = sampleResultSchema.parse(result);
    assert.deepEqual(sequences[0]?.tokens, json.sequences[0]?.tokens);
    assert.deepEqual(promptLogprobs, json.prompt_logprobs);
    const packed = await server.send('POST', '/api/v1/forward_backward', Uint8Array.of(1), {
      'content-encoding': 'lz4',
    });
    assert.equal(packed.status, 415);
    const broken = await server.send('POST', '/api/v1/forward_backward', Uint8Array.of(1), {
      'content-encoding': 'gzip',
    });
    assert.equal(broken.status, 400);
  });

  it('says which datum is wrong, and goes on with the next number', async () => {
    const model = await server.model(next());
    const { target_tokens, logprobs, advantages } = datum.inputs;
    const wrong: [Partial<TrainRequest>, RegExp][] = [
      [{ loss: 'dro' }, /no loss 'dro'/],
      [{ config: { beta: 1 } }, /no setting 'beta'/],
      [{ data: [datum, { ...datum, inputs: { target_tokens, logprobs } }] }, /Datum 1 has no advantages/],
      [{ data: [{ ...datum, inputs: { ...datum.inputs, mask: [1, 1, 1, 1, 1] } }] }, /Datum 0: .* takes no 'mask'/],
      [{ data: [{ ...datum, inputs: { target_tokens, logprobs: [1], advantages } }] }, /1 logprobs for 5 targets/],
      [{ data: [{ ...datum, inputs: { target_tokens: [2, 3, 9, 5, 6], logprobs, advantages } }] }, /target 2 is 9/],
      [{ data: [{ tokens: [1], inputs: { target_tokens: [77], logprobs: [0], advantages: [0] } }] }, /token 77/],
    ];
    let seq = 1;
    for (const [over, message] of wrong) {
      const failed = await server.ask('forward_backward', trainRequestJson(training(model, seq++, over)));
      const { error } = z.object({ error: z.string(), category: z.literal('user') }).parse(failed);
      assert.match(error, message);
    }
    assert.equal((await train(training(model, seq))).logprobs[0]?.length, 5);
    await server.post('forward_backward', { model_id: model, seq_id: 99 }, 422);
    await server.post('forward_backward', trainRequestJson(training('nobody', 1)), 404);
  });

  it('saves, lists, loads and deletes', async () => {
    const model = await server.model(next());
    await train(training(model, 1));
    await step(model, 2);
    const state = { model_id: model, seq_id: 3, path: 'step-1' };
    const { path } = pathSchema.parse(await server.ask('save_weights', state));
    assert.equal(path, `tinker://${model}/weights/step-1`);
    const named = { model_id: model, seq_id: 4, path: 'v1' };
    const sampler = pathSchema.parse(await server.ask('save_weights_for_sampler', named));
    const list = z.object({ checkpoints: z.array(z.object({ checkpoint_id: z.string(), tinker_path: z.string() })) });
    const listed = list.parse(await server.get(`/api/v1/training_runs/${model}/checkpoints`)).checkpoints;
    assert.deepEqual(listed, [
      { checkpoint_id: 'weights/step-1', tinker_path: path },
      { checkpoint_id: 'sampler_weights/v1', tinker_path: sampler.path },
    ]);
    const taken = await server.ask('save_weights', { model_id: model, seq_id: 5, path: 'step-1' });
    assert.match(z.object({ error: z.string() }).parse(taken).error, /exists/);

    // Trained on from the checkpoint, a copy goes where the original goes.
    const copy = await server.model(next());
    await server.post('load_weights', { model_id: copy, seq_id: 2, path, optimizer: true }, 400);
    await server.ask('load_weights', { model_id: copy, seq_id: 1, path, optimizer: true });
    assert.deepEqual(await train(training(copy, 2)), await train(training(model, 6)));
    await Promise.all([step(copy, 3), step(model, 7)]);
    assert.deepEqual(await train(training(copy, 4)), await train(training(model, 8)));
    const late = await server.ask('load_weights', { model_id: copy, path, optimizer: true });
    assert.match(z.object({ error: z.string() }).parse(late).error, /not permitted/);

    // In one call, with the shape that the checkpoint says; without moments the next step is another.
    const number = next();
    await server.ask('load_weights', {
      session_id: await server.session(),
      model_seq_id: number,
      path,
      optimizer: false,
    });
    const info = z.object({ lora_rank: z.int() });
    const model_id = `${await server.session()}:train:${number}`;
    assert.equal(info.parse(await server.post('get_info', { model_id })).lora_rank, 4);
    assert.deepEqual(
      z
        .object({ base_model: z.string(), lora_rank: z.int() })
        .parse(await server.post('weights_info', { tinker_path: path })),
      { base_model: 'genenv/agent', lora_rank: 4 },
    );

    const session = await server.sampling(next(), { model_path: sampler.path });
    assert.equal((await sample(session, 1)).sequences.length, 2);
    const gone = await server.send('DELETE', `/api/v1/training_runs/${model}/checkpoints/sampler_weights/v1`);
    assert.equal(gone.status, 204);
    const body = { session_id: await server.session(), sampling_session_seq_id: next(), model_path: sampler.path };
    await server.post('create_sampling_session', body, 404);
    const archive = await server.send('GET', `/api/v1/training_runs/${model}/checkpoints/weights/step-1/archive`);
    assert.equal(archive.status, 400);
  });

  it('gives weights without a name to sample from at once', async () => {
    const model = await server.model(next());
    await train(training(model, 1));
    await step(model, 2);
    const body = { model_id: model, seq_id: 3, sampling_session_seq_id: next() };
    const { sampling_session_id } = z
      .object({ sampling_session_id: z.string() })
      .parse(await server.ask('save_weights_for_sampler', body));
    const named = { model_id: model, seq_id: 4, path: 'same' };
    const { path } = pathSchema.parse(await server.ask('save_weights_for_sampler', named));
    const session = await server.sampling(next(), { model_path: path });
    assert.deepEqual((await sample(sampling_session_id, 1)).sequences, (await sample(session, 1)).sequences);
    const list = z.object({ checkpoints: z.array(z.object({ checkpoint_id: z.string() })) });
    const { checkpoints } = list.parse(await server.get(`/api/v1/training_runs/${model}/checkpoints`));
    assert.deepEqual(checkpoints, [{ checkpoint_id: 'sampler_weights/same' }]);
  });

  it('lets a checkpoint expire', async () => {
    const model = await server.model(next());
    const saved = { model_id: model, seq_id: 1, path: 'brief', ttl_seconds: 3600 };
    await server.ask('save_weights', saved);
    const path = `/api/v1/training_runs/${model}/checkpoints`;
    const list = z.object({ checkpoints: z.array(z.object({ expires_at: z.string().nullable() })) });
    assert.ok(list.parse(await server.get(path)).checkpoints[0]?.expires_at);
    await server.send('PUT', `${path}/weights/brief/ttl`, { ttl_seconds: null });
    assert.equal(list.parse(await server.get(path)).checkpoints[0]?.expires_at, null);
  });

  it('unloads behind what was sent before', async () => {
    const model = await server.model(next());
    const last = await server.promise('forward_backward', trainRequestJson(training(model, 1)));
    await server.ask('unload_model', { model_id: model });
    trainResultSchema.parse(await server.result(last));
    await server.post('get_info', { model_id: model }, 404);
  });

  it('refuses pages of a browser', async () => {
    const { status } = await server.send('GET', '/api/v1/sessions', undefined, { origin: 'http://example.com' });
    assert.equal(status, 403);
  });
});
