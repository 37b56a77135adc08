/** Settings that are each allowed but contradict each other. */
import type { Problem } from '../problems/problem.ts';
import type { Experiment } from '../schema.ts';

export interface Contradiction extends Pick<Problem, 'message' | 'remedy' | 'severity'> {
  /** The fields that contradict each other, the one to change first. */
  fields: readonly string[];
}

export type Check = (experiment: Experiment) => Contradiction | null;

/** Slack of comparisons between shares, as the difficulty filter's. */
export const tolerance = 1e-9;

export const number = (value: number): string => String(Number(value.toFixed(4)));
