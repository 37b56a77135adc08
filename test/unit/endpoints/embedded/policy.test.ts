import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPolicy } from '../../../../src/endpoints/embedded/embeddedPolicy.ts';
import { EmbeddedError, type EmbeddedErrorReason } from '../../../../src/endpoints/embedded/errors.ts';
import { keptVersions } from '../../../../src/endpoints/embedded/versions.ts';
import { writeWeights } from '../../../../src/endpoints/embedded/model/weights.ts';
import type { AdamParams, PolicyVersion, SampleRequest } from '../../../../src/engine/ports.ts';
import { kernelBytes } from '../../../support/embedded/kernels.ts';
import { smallTrainer } from '../../../support/embedded/models.ts';
import type { Completion } from '../../../../src/engine/completion.ts';

const worker = new URL('../../../../src/endpoints/embedded/worker.ts', import.meta.url);
const adam: AdamParams = {
  learningRate: 1e-2,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0,
  gradClipNorm: 1,
};
const never = new AbortController().signal;

function request(id: string, over: Partial<SampleRequest> = {}): SampleRequest {
  const messages = [{ role: 'user', content: 'w1 w2 w3' } as const];
  return { id, messages, n: 3, seed: 5, maxTokens: 8, temperature: 1, ...over };
}

const isError = (reason: EmbeddedErrorReason) => (error: unknown) =>
  error instanceof EmbeddedError && error.reason === reason;

describe('embedded policy', function () {
  let folder: string;
  const open: EmbeddedPolicy[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'genenv-embedded-'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((policy) => policy.dispose()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function load(weights?: Uint8Array | string, fence?: () => Promise<void>): Promise<EmbeddedPolicy> {
    const policy = await EmbeddedPolicy.load({
      weights: weights ?? writeWeights({ ...smallTrainer().state(), moments: null }, 'f16'),
      worker,
      kernels: kernelBytes(),
      checkpoints: join(folder, 'checkpoints'),
      fence,
      name: 'agent',
    });
    open.push(policy);
    return policy;
  }

  async function collect(
    policy: EmbeddedPolicy,
    version: PolicyVersion,
    requests: SampleRequest[],
    signal = never,
  ): Promise<Completion[]> {
    return await Array.fromAsync(policy.sample(version, requests, signal));
  }

  it('publishes, samples, scores and renders', async () => {
    const policy = await load();
    const version = await policy.publish('agent@0');
    assert.deepEqual(version, { name: 'agent@0', handle: 'agent@0' });
    const completions = await collect(policy, version, [request('a'), request('b', { only: [2] })]);
    assert.deepEqual(
      completions.map(({ requestId, index }) => [requestId, index]),
      [
        ['a', 0],
        ['a', 1],
        ['a', 2],
        ['b', 2],
      ],
    );
    for (const { promptTokens, tokens, logprobs, text, stopReason } of completions) {
      assert.deepEqual(promptTokens, [1, 2, 3]);
      assert.equal(logprobs.length, tokens.length);
      assert.equal(text, policy.vocabulary.decode(tokens));
      assert.equal(stopReason === 'stop', tokens.at(-1) === 0);
    }
    const sequences = completions.map(({ promptTokens, tokens }) => [...promptTokens, ...tokens]);
    const scored = await policy.score(version, sequences, never);
    completions.forEach(({ logprobs }, i) => assert.deepEqual(scored[i]?.slice(3), logprobs));
    const rendered = await policy.render([request('a').messages[0]!, { role: 'assistant', content: 'w4' }]);
    assert.deepEqual(rendered, { tokens: [1, 2, 3, 4, 0], spans: [[3, 5]] });
  });

  it('trains like the model in this thread, and published versions stay frozen', async () => {
    const policy = await load();
    const local = smallTrainer();
    const weights = writeWeights({ ...local.state(), moments: null }, 'f32');
    const twin = await load(weights);
    const before = await twin.publish('agent@0');
    const tokens = [1, 2, 3, 4, 5, 0];
    const loss = { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 } as const;
    const datum = { tokens, logprobs: [0, -2, -3, -3, -3, -3], advantages: [0, 1, 1, -1, 1, 1] };
    const first = await twin.score(before, [tokens], never);
    for (let i = 0; i < 3; i++) {
      const [there, here] = [await twin.accumulate([datum, datum], loss), local.accumulate([datum, datum], loss)];
      assert.deepEqual(there, here);
      assert.deepEqual(await twin.step(adam), local.step(adam));
    }
    assert.deepEqual(await twin.score(before, [tokens], never), first);
    const after = await twin.publish('agent@3');
    assert.deepEqual(await twin.score(after, [tokens], never), local.score(null, [tokens]));
    assert.notDeepEqual(await twin.score(after, [tokens], never), first);
    await assert.rejects(policy.score(after, [tokens], never), isError('version'));
  });

  it('goes on from a checkpoint in a new worker, bit for bit', async () => {
    const policy = await load();
    const datum = { tokens: [4, 5, 6, 7], weights: [0, 1, 1, 1] };
    const train = async (target: EmbeddedPolicy): Promise<void> => {
      await target.accumulate([datum], { name: 'cross_entropy' });
      await target.step(adam);
    };
    await train(policy);
    const ref = await policy.checkpoint('agent@1');
    const published = await policy.publish('agent@1');
    const sampled = await collect(policy, published, [request('a')]);
    await train(policy);
    const expected = await collect(policy, await policy.publish('agent@2'), [request('a')]);

    const restored = await policy.restore(ref);
    open.push(restored);
    assert.deepEqual(await collect(restored, await restored.publish('agent@1'), [request('a')]), sampled);
    await train(restored);
    assert.deepEqual(await collect(restored, await restored.publish('agent@2'), [request('a')]), expected);
    assert.notDeepEqual(sampled, expected);
    const again = await restored.checkpoint('agent@2');
    const original = await policy.checkpoint('original');
    const bytes = [again, original].map(({ handle }) => readFileSync(join(folder, 'checkpoints', handle)));
    assert.ok(bytes[0]!.equals(bytes[1]!), 'the same checkpoint to the byte');
  });

  it('keeps prompt and answer within a bound together, an answer of one token at least', async () => {
    const policy = await load();
    const version = await policy.publish('agent@0');
    const free = await collect(policy, version, [request('a', { maxTokens: 8 })]);
    for (const [maxSequence, most] of [
      [3, 1],
      [5, 2],
      [7, 4],
      [100, 8],
    ] as const) {
      for (const { tokens, index } of await collect(policy, version, [request('a', { maxTokens: 8, maxSequence })])) {
        assert.deepEqual(tokens, free[index]?.tokens.slice(0, most), `${maxSequence}`);
      }
    }
  });

  it('writes no checkpoint where another process writes now', async () => {
    const policy = await load(undefined, () => Promise.reject(new Error('in use')));
    await assert.rejects(policy.checkpoint('agent@0'), /in use/);
    assert.ok(!existsSync(join(folder, 'checkpoints')));
  });

  it('replaces checkpoints whole and leaves nothing half-written', async () => {
    const policy = await load();
    await policy.checkpoint('agent@0');
    await policy.checkpoint('agent@0');
    assert.deepEqual(readdirSync(join(folder, 'checkpoints')), ['agent@0.bin']);
    await assert.rejects(policy.checkpoint('../outside'), isError('checkpoint'));
    const blocked = await EmbeddedPolicy.load({
      weights: writeWeights(smallTrainer().state(), 'f32'),
      worker,
      kernels: kernelBytes(),
      checkpoints: join(folder, 'checkpoints', 'agent@0.bin'),
      name: 'agent',
    });
    open.push(blocked);
    await assert.rejects(blocked.checkpoint('x'), /could not be written to .*agent@0\.bin/);
    assert.equal((await blocked.publish('still alive')).name, 'still alive');
  });

  it('says what is wrong with a damaged or missing checkpoint', async () => {
    const policy = await load();
    const ref = await policy.checkpoint('agent@0');
    const path = join(folder, 'checkpoints', ref.handle);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    await assert.rejects(policy.restore(ref), /agent@0\.bin.*checksum/);
    await assert.rejects(policy.restore({ name: 'x', handle: 'x.bin' }), isError('checkpoint'));
    for (const handle of ['../x.bin', '/etc/passwd', 'a/b.bin', '..'])
      await assert.rejects(policy.restore({ name: 'x', handle }), /no name of a checkpoint/, handle);
    await assert.rejects(load(join(folder, 'nowhere.bin')), /nowhere\.bin cannot be read/);
  });

  it('refuses bad requests and goes on', async () => {
    const policy = await load();
    const version = await policy.publish('agent@0');
    const unknown = request('a', { messages: [{ role: 'user', content: 'w1 zebra' }] });
    await assert.rejects(collect(policy, version, [unknown]), /word 'zebra'/);
    await assert.rejects(collect(policy, version, [request('a', { maxTokens: 0 })]), isError('request'));
    await assert.rejects(collect(policy, version, [request('a', { messages: [] })]), /prompt is empty/);
    await assert.rejects(
      policy.accumulate([{ tokens: [1, 2] }], { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 }),
      /logprobs/,
    );
    await assert.rejects(policy.step({ ...adam, beta1: 1 }), isError('request'));
    assert.equal((await collect(policy, version, [request('a')])).length, 3);
  });

  it('ends sampling at once when aborted, and can sample again', async () => {
    const policy = await load();
    const version = await policy.publish('agent@0');
    const many = Array.from({ length: 400 }, (_, i) => request(`r${i}`, { seed: i, n: 16, maxTokens: 40 }));
    const abort = new AbortController();
    let seen = 0;
    const sampling = (async () => {
      for await (const { tokens } of policy.sample(version, many, abort.signal)) {
        seen += tokens.length > 0 ? 1 : 0;
        abort.abort();
      }
    })();
    await assert.rejects(sampling, { name: 'AbortError' });
    assert.equal(seen, 1);
    await assert.rejects(collect(policy, version, many, abort.signal), { name: 'AbortError' });
    await assert.rejects(policy.score(version, [[1, 2]], abort.signal), { name: 'AbortError' });
    assert.equal((await collect(policy, version, [request('a')])).length, 3);
  });

  it('streams while it samples, and a reader that leaves stops the work', async () => {
    const policy = await load();
    const version = await policy.publish('agent@0');
    const many = Array.from({ length: 400 }, (_, i) => request(`r${i}`, { seed: i, n: 16, maxTokens: 40 }));
    const order: string[] = [];
    for await (const { requestId } of policy.sample(version, many, never)) {
      order.push(requestId);
      if (order.length === 20) break;
    }
    assert.deepEqual(order, [...new Array<string>(16).fill('r0'), ...new Array<string>(4).fill('r1')]);
    assert.equal((await collect(policy, version, [request('a')])).length, 3);
  });

  it('keeps the first version and the newest ones, and says which there are', async () => {
    const policy = await load();
    for (let i = 0; i <= keptVersions + 1; i++) await policy.publish(`agent@${i}`);
    const score = (name: string): Promise<number[][]> => policy.score({ name, handle: name }, [[1, 2]], never);
    await assert.rejects(score('agent@1'), /'agent@1' is not published here; there are agent@0, agent@2/);
    await score('agent@0');
    await score('agent@2');
    await score(`agent@${keptVersions + 1}`);
  });

  it('rejects what waits when it is disposed, and later calls', async () => {
    const policy = await load();
    const version = await policy.publish('agent@0');
    const waiting = collect(policy, version, [request('a', { n: 400, maxTokens: 40 })]);
    const rejected = assert.rejects(waiting, /disposed/);
    await policy.dispose();
    await rejected;
    await assert.rejects(policy.publish('x'), /disposed/);
  });

  it('is told when its worker says what makes no sense, before or after the model is loaded', async () => {
    const saying = (...messages: readonly unknown[]): URL => {
      const says = messages.map((message) => `parentPort.postMessage(${JSON.stringify(message)});`).join('');
      const late = `parentPort.on('message', () => parentPort.postMessage({ type: 'nonsense' }));`;
      return new URL(`data:text/javascript,import { parentPort } from 'node:worker_threads'; ${says} ${late}`);
    };
    const parts = {
      weights: writeWeights({ ...smallTrainer().state(), moments: null }, 'f16'),
      kernels: kernelBytes(),
    };
    const from = (worker: URL) =>
      EmbeddedPolicy.load({ ...parts, worker, checkpoints: join(folder, 'checkpoints'), name: 'agent' });
    await assert.rejects(from(saying({ type: 'what?' })), isError('worker'));
    const policy = await from(saying({ type: 'ready' }));
    await assert.rejects(policy.publish('agent@0'), isError('worker'));
    await policy.dispose();
  });
});
