import assert from 'node:assert/strict';
import { EmbeddedError } from '../../../../src/endpoints/embedded/errors.ts';
import { EmbeddedTrainer } from '../../../../src/endpoints/embedded/model/trainer.ts';
import type { AdamParams, Datum } from '../../../../src/engine/ports.ts';
import { kernelBytes } from '../../../support/embedded/kernels.ts';
import { fingerprint, smallTrainer, words } from '../../../support/embedded/models.ts';
import { assertClose, generator, randomInts } from '../../../support/embedded/numeric.ts';

const adam: AdamParams = {
  learningRate: 3e-3,
  beta1: 0.9,
  beta2: 0.95,
  epsilon: 1e-8,
  weightDecay: 0,
  gradClipNorm: 0,
};
const crossEntropy = { name: 'cross_entropy' } as const;

/** Groups of sequences that share a prompt, like the attempts at a task. */
function data(groups: number, members: number): Datum[] {
  const random = generator(31);
  return Array.from({ length: groups }, () => {
    const prompt = randomInts(12, words.length, random);
    return Array.from({ length: members }, () => {
      const tokens = [...prompt, ...randomInts(2 + Math.floor(random() * 10), words.length, random)];
      return { tokens, weights: tokens.map(() => random()) };
    });
  }).flat();
}

describe('training', () => {
  it('falls to almost nothing on a handful of sequences', () => {
    const trainer = smallTrainer();
    // One continuation a prompt: two of one prompt could not both be certain.
    const few = data(4, 1).map(({ tokens }) => ({ tokens, weights: tokens.map((_, i) => (i < 12 ? 0 : 1)) }));
    const scored = few.reduce((sum, { tokens }) => sum + tokens.length - 12, 0);
    const losses = Array.from({ length: 120 }, () => {
      const { loss } = trainer.accumulate(few, crossEntropy);
      trainer.step(adam);
      return loss / scored;
    });
    assert.ok((losses[0] ?? NaN) > 2.5, `starts at ${losses[0]}`);
    assert.ok((losses.at(-1) ?? NaN) < 0.05, `ends at ${losses.at(-1)}`);
  });

  it('learns to copy a word seen two positions before from few examples', () => {
    const trainer = smallTrainer();
    const random = generator(5);
    const batch = (): Datum[] =>
      Array.from({ length: 16 }, () => {
        const [a, b] = randomInts(2, 22, random).map((id) => id + 1);
        const tokens = [a ?? 0, b ?? 0, a ?? 0, b ?? 0, 0];
        return { tokens, weights: [0, 0, 1, 1, 1] };
      });
    for (let i = 0; i < 150; i++) {
      trainer.accumulate(batch(), crossEntropy);
      trainer.step(adam);
    }
    const { logprobs } = trainer.accumulate(batch(), crossEntropy);
    const mean = logprobs.flatMap((row) => row.slice(2)).reduce((a, b) => a + b, 0) / (16 * 3);
    assert.ok(mean > -0.2, `mean logprob of unseen pairs is ${mean}`);
  });

  it('moves policies towards what had advantage, with every policy-gradient loss', () => {
    for (const loss of [
      { name: 'importance_sampling' },
      { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 },
      { name: 'cispo', clipLow: 0.8, clipHigh: 1.2 },
    ] as const) {
      const trainer = smallTrainer();
      const sequences = data(1, 4).map(({ tokens }) => tokens);
      const before = trainer.score(null, sequences);
      const rewarded = sequences.map((tokens, n) => ({
        tokens,
        logprobs: before[n] ?? [],
        advantages: tokens.map((_, i) => (i < 12 ? 0 : n < 2 ? 1 : -1)),
      }));
      trainer.accumulate(rewarded, loss);
      trainer.step({ ...adam, learningRate: 1e-3 });
      const change = trainer
        .score(null, sequences)
        .map((after, n) => after.reduce((sum, p, i) => sum + p - (before[n]?.[i] ?? 0), 0));
      change.forEach((delta, n) => {
        assert.ok(n < 2 ? delta > 0 : delta < 0, `${loss.name}: sequence ${n} moved by ${delta}`);
      });
    }
  });

  it('returns the logprobs that score gives, bit for bit, however data are batched', () => {
    const all = data(5, 4);
    const trainer = smallTrainer();
    const whole = trainer.accumulate(all, crossEntropy).logprobs;
    assert.deepEqual(
      trainer.score(
        null,
        all.map(({ tokens }) => tokens),
      ),
      whole,
    );
    all.forEach((datum, i) => {
      assert.deepEqual(trainer.accumulate([datum], crossEntropy).logprobs[0], whole[i]);
    });
    const small = smallTrainer(7, { rows: 48, pairs: 48 });
    assert.deepEqual(small.accumulate(all, crossEntropy).logprobs, whole);
  });

  it('gives the same gradient from one call as from many, shared prompts or not', () => {
    const all = data(4, 5);
    const gradient = (calls: Datum[][]): Float32Array => {
      const trainer = smallTrainer();
      for (const call of calls) trainer.accumulate(call, crossEntropy);
      return trainer.network.read(trainer.network.at.gradients);
    };
    const reference = gradient([all]);
    assertClose([...gradient(all.map((datum) => [datum]))], [...reference], 1e-5, 'one by one');
    assert.ok(Buffer.from(gradient([all]).buffer).equals(Buffer.from(reference.buffer)), 'again: the same bits');
  });

  it('takes the same bits again after the same calls, and goes on from a saved state', () => {
    const all = data(3, 3);
    const run = (trainer: EmbeddedTrainer, steps: number): EmbeddedTrainer => {
      for (let i = 0; i < steps; i++) {
        trainer.accumulate(all, crossEntropy);
        trainer.step({ ...adam, gradClipNorm: 1, weightDecay: 0.01 });
      }
      return trainer;
    };
    const straight = run(smallTrainer(), 6).state();
    assert.equal(fingerprint(run(smallTrainer(), 6).state()), fingerprint(straight));
    const resumed = new EmbeddedTrainer(kernelBytes(), run(smallTrainer(), 3).state());
    assert.equal(fingerprint(run(resumed, 3).state()), fingerprint(straight));
    assert.equal(straight.steps, 6);
  });

  it('clips by the global norm it reports', () => {
    const moved = (gradClipNorm: number): { norm: number; first: number } => {
      const trainer = smallTrainer();
      trainer.accumulate(data(2, 2), crossEntropy);
      const { gradNorm } = trainer.step({ ...adam, gradClipNorm });
      const { at, layout } = trainer.network;
      // After one step the first moment is (1 − β₁) times the clipped gradient.
      return { norm: gradNorm, first: Math.sqrt(trainer.network.kernels.squaredNorm(layout.size, at.first)) };
    };
    const free = moved(0);
    const clipped = moved(0.5);
    assert.equal(clipped.norm, free.norm);
    assert.ok(Math.abs(free.first - 0.1 * free.norm) < 1e-4 * free.norm);
    assert.ok(Math.abs(clipped.first - 0.05) < 1e-5);
  });

  it('refuses a step on a gradient that is not finite and keeps its weights', () => {
    const trainer = smallTrainer();
    const before = trainer.freeze();
    const [datum] = data(1, 1);
    assert.ok(datum);
    const huge = { tokens: datum.tokens, weights: datum.tokens.map(() => 3e38) };
    trainer.accumulate([huge], crossEntropy);
    assert.throws(
      () => trainer.step(adam),
      (error) => error instanceof EmbeddedError && error.reason === 'diverged',
    );
    assert.ok(Buffer.from(trainer.freeze().buffer).equals(Buffer.from(before.buffer)), 'weights as before');
    trainer.accumulate([datum], crossEntropy);
    assert.ok(Number.isFinite(trainer.step(adam).gradNorm));
  });

  it('refuses data it cannot train on', () => {
    const trainer = smallTrainer();
    const refused = (datum: Datum, message: RegExp): void => {
      assert.throws(() => trainer.accumulate([datum], crossEntropy), { name: 'EmbeddedError', message });
    };
    refused({ tokens: [1, 2, 3] }, /needs 'weights'.*3, not none/);
    refused({ tokens: [1, 2, 3], weights: [1, 1] }, /3, not 2/);
    refused({ tokens: [1, 2], weights: [0, NaN] }, /not finite/);
    refused({ tokens: [1, 99], weights: [0, 1] }, /Token 99/);
    refused({ tokens: new Array<number>(49).fill(1), weights: new Array<number>(49).fill(1) }, /context of 48/);
    assert.throws(() => trainer.step({ ...adam, epsilon: 0 }), /epsilon/);
  });
});
