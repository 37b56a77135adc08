import type { Trace } from '../../../shared/records/trace.ts';

/** How many attempts ended at the limit of tokens an answer; one that stands there twice is one. */
export const cutOffIn = (answers: readonly Pick<Trace, 'id' | 'stopReason'>[]): number =>
  new Set(answers.flatMap(({ id, stopReason }) => (stopReason === 'length' ? [id] : []))).size;
