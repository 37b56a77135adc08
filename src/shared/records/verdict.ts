/** A verdict in one word, and whether its attempt may enter the pool. Without schemas: pages need these words. */
import type { Verdict } from './trace.ts';

export const verdictWords = ['solved', 'unsolved', 'unjudged'] as const;
export type VerdictWord = (typeof verdictWords)[number];

export const verdictWord = ({ success, error }: Pick<Verdict, 'success' | 'error'>): VerdictWord =>
  error !== undefined ? 'unjudged' : success ? 'solved' : 'unsolved';

/** Whether its attempt may enter the agent pool: parsed, executed, and its checker ran (paper §2.3). */
export const isPoolable = ({ valid, error }: Pick<Verdict, 'valid' | 'error'>): boolean => valid && error === undefined;
