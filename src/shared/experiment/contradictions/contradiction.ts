/** Settings that are each allowed but contradict each other. */
import { significant } from '../../text/figures/numbers.ts';
import type { Problem } from '../problems/problem.ts';
import type { Experiment } from '../schema.ts';

export interface Contradiction extends Pick<Problem, 'message' | 'remedy' | 'severity'> {
  /** The fields that contradict each other, the one to change first. */
  fields: readonly string[];
  /** Runs of earlier versions work with it: theirs keep it until one of the fields is given anew. */
  keptByRuns?: boolean;
}

export type Check = (experiment: Experiment) => Contradiction | null;

/** Slack of comparisons between shares, as the difficulty filter's. */
export const tolerance = 1e-9;

/** A figure that is computed; one to be typed has a point in every language. */
export const figure = (value: number): string => significant(typed(value), 4);

export const typed = (value: number): number => Number(value.toFixed(4));
