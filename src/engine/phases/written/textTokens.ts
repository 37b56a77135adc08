/** The tokens of what the environment writes. */
import type { Generation, Task } from '../../../shared/records/task.ts';
import { sampledCount } from '../../math/sequence.ts';

/** Tokens processed for a text: its prompt and the text, and the independent answers to it. */
export function textTokens({ generation, agreement }: Pick<Task, 'generation' | 'agreement'>): number {
  const { tokens = [], counted = { prompt: 0, answer: 0 } } = generation ?? {};
  return tokens.length + counted.prompt + counted.answer + (agreement?.tokens ?? 0);
}

/** Sampled tokens of a text and of its plan. */
export const writtenTokens = (generation: Pick<Generation, 'spans' | 'counted'>): number =>
  sampledCount(generation) + (generation.counted?.answer ?? 0);
