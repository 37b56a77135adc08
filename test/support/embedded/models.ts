/** Small models with seeded random weights: the production code, without shipped weights. */
import { createHash } from 'node:crypto';
import type { ModelConfig } from '../../../src/endpoints/embedded/model/config.ts';
import { EmbeddedTrainer } from '../../../src/endpoints/embedded/model/trainer.ts';
import type { Sizes } from '../../../src/endpoints/embedded/model/buffers.ts';
import { type ModelState, writeWeights } from '../../../src/endpoints/embedded/model/weights.ts';
import { kernelBytes } from './kernels.ts';

/** 23 words: not a multiple of 8, so the output has padding. */
export const words = ['<end>', ...Array.from({ length: 22 }, (_, i) => `w${i + 1}`)];

export const smallConfig: ModelConfig = {
  layers: 2,
  width: 32,
  heads: 2,
  vocabulary: words.length,
  context: 48,
  rope: { dimensions: 8, base: 1000 },
  normEpsilon: 1e-5,
};

export function smallTrainer(seed = 7, sizes: Partial<Sizes> = {}): EmbeddedTrainer {
  return EmbeddedTrainer.random(kernelBytes(), smallConfig, words, '<end>', seed, sizes);
}

/** Digest of everything a state holds: tells two apart without printing 60,000 numbers. */
export function fingerprint(state: ModelState): string {
  return createHash('sha256').update(writeWeights(state, 'f32')).digest('hex');
}
