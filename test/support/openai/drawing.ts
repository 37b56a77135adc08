/** Tokens drawn from known distributions, as servers draw them: cut before the temperature or after it, or not at all. */
import type { Rng } from '../../../src/engine/random.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { Place } from '../../../src/features/doctor/core/rareTokens.ts';

export interface Cutting {
  minP?: number;
  topP?: number;
  /** llama.cpp cuts before the temperature as it comes, vLLM and transformers after it. */
  when: 'before' | 'after';
}

export interface Drawn extends Place {
  /** Which of the vocabulary. */
  token: number;
}

export interface Model {
  vocabulary: number;
  /** Exponents of Zipf's law, one place after the other: the i-th likeliest token has a weight of i^−sharpness. */
  sharpness: readonly number[];
}

export function draw(
  { vocabulary, sharpness }: Model,
  { temperature, tokens, likeliest }: { temperature: number; tokens: number; likeliest: number },
  cutting: Cutting | null,
  rng: Pick<Rng, 'next'>,
): Drawn[] {
  const places = sharpness.map((exponent) => {
    const raw = normalised(Array.from({ length: vocabulary }, (_, i) => -exponent * Math.log(i + 1)));
    const tempered = (logits: readonly number[]) => normalised(logits.map((value) => value / temperature));
    if (cutting === null) return { raw, chances: tempered(raw) };
    const chances = cutting.when === 'before' ? tempered(cutBy(cutting, raw)) : cutBy(cutting, tempered(raw));
    return { raw, chances };
  });
  return Array.from({ length: tokens }, (_, place) => {
    const { raw, chances } = places[place % places.length] ?? outOfRange();
    const at = drawnFrom(chances, rng.next());
    // Another word for each rank at each place.
    const token = (at + 7 * place) % vocabulary;
    return { token, logprob: raw[at] ?? outOfRange(), likeliest: raw.slice(0, likeliest) };
  });
}

function cutBy({ minP = 0, topP = 1 }: Cutting, sorted: readonly number[]): number[] {
  let before = 0;
  return normalised(
    sorted.map((value) => {
      const kept = before < topP && value >= Math.log(minP) + (sorted[0] ?? outOfRange());
      before += Math.exp(value);
      return kept ? value : -Infinity;
    }),
  );
}

function normalised(logits: readonly number[]): number[] {
  const sum = logits.reduce((total, value) => total + Math.exp(value), 0);
  return logits.map((value) => value - Math.log(sum));
}

function drawnFrom(logprobs: readonly number[], uniform: number): number {
  let left = uniform;
  const found = logprobs.findIndex((value) => (left -= Math.exp(value)) < 0);
  return found < 0 ? 0 : found;
}
