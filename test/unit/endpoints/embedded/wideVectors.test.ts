import assert from 'node:assert/strict';
import type { KernelSource } from '../../../../src/endpoints/embedded/model/kernels.ts';
import { defaultConfig } from '../../../../src/endpoints/embedded/model/config.ts';
import { EmbeddedTrainer } from '../../../../src/endpoints/embedded/model/trainer.ts';
import { fingerprint } from '../../../support/embedded/models.ts';
import { kernelBytes } from '../../../support/embedded/kernels.ts';
import { generator, randomInts } from '../../../support/embedded/numeric.ts';

/** Everything a run of training and sampling produces, at the size that ships. */
function run(kernels: KernelSource): unknown {
  const words = ['<end>', ...Array.from({ length: 120 }, (_, i) => `w${i}`)];
  const trainer = EmbeddedTrainer.random(kernels, defaultConfig(words.length), words, '<end>', 3);
  const random = generator(41);
  const prompts = Array.from({ length: 6 }, () => randomInts(1 + Math.floor(random() * 40), words.length, random));
  const data = prompts.flatMap((prompt) =>
    [0, 1, 2].map(() => {
      const tokens = [...prompt, ...randomInts(1 + Math.floor(random() * 20), words.length, random)];
      const advantages = tokens.map(() => random() - 0.5);
      return { tokens, advantages, logprobs: tokens.map(() => -4 - random()) };
    }),
  );
  const metrics = Array.from({ length: 4 }, () => {
    const { loss, logprobs } = trainer.accumulate(data, { name: 'ppo', clipLow: 0.8, clipHigh: 1.2 });
    const adam = { learningRate: 1e-2, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.01, gradClipNorm: 1 };
    return { loss, logprobs, ...trainer.step(adam) };
  });
  const requests = prompts.map((prompt, seed) => ({
    prompt,
    indices: [0, 1, 2],
    seed,
    maxTokens: 30,
    temperature: 0.8,
    tempered: false,
  }));
  return { metrics, state: fingerprint(trainer.state()), sampled: [...trainer.sample(null, requests)].flat() };
}

describe('merged 256-bit kernels', () => {
  it('give the bits of the plain ones', () => {
    assert.deepEqual(run(kernelBytes()), run(new WebAssembly.Module(kernelBytes())));
  });
});
