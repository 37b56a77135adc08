/** Measures of a controller of α over a window of epochs, with their standard errors. */
import type { ControlMeasure } from '../../shared/journal/control.ts';
import type { SuccessRate } from '../../shared/journal/scores.ts';
import { z } from '../math/successRate.ts';
import type { RunState } from '../state.ts';
import { sum } from '../../shared/sum.ts';

export interface Measured {
  value: number;
  error: number;
}

export interface Window {
  from: number;
  to: number;
}

type Seen = Pick<RunState, 'scores' | 'summaries' | 'validations'>;

/** Null where the window lacks what is measured. */
export function measuredOver(measure: ControlMeasure, state: Seen, window: Window): Measured | null {
  if (measure === 'gain') return gain(state, window);
  return measure === 'learnability' ? learnability(state, window) : success(state, window);
}

/** Validation points won per 1,000 rollouts of training. The two validations count as independent. */
function gain({ summaries, validations }: Seen, { from, to }: Window): Measured | null {
  const [before, after] = [from - 1, to].map((epoch) => validations.find((one) => one.epoch === epoch));
  const rollouts = sum(inWindow(summaries, { from, to }).map((epoch) => epoch.rollouts));
  if (before === undefined || before.measured !== after?.measured || rollouts === 0) return null;
  const [start, end] = [before.successRate, after.successRate];
  if (start.p === null || end.p === null) return null;
  return {
    value: (1e5 * (end.p - start.p)) / rollouts,
    error: (1e5 * Math.hypot(errorOf(start), errorOf(end))) / rollouts,
  };
}

/** Mean over families of their tasks' unbiased p(1 − p); the error is of families, whose tasks resemble each other. */
function learnability({ scores }: Seen, { from, to }: Window): Measured | null {
  const families: number[] = [];
  for (let epoch = from; epoch <= to; epoch++) {
    for (const { tasks } of scores.get(epoch) ?? []) {
      const judged = tasks.filter(({ attempts }) => attempts >= 2);
      if (judged.length === 0) continue;
      families.push(mean(judged.map(({ successes: k, attempts: n }) => (k * (n - k)) / (n * (n - 1)))));
    }
  }
  const n = families.length;
  if (n < 2) return null;
  const value = mean(families);
  const squares = sum(families.map((one) => (one - value) ** 2));
  return { value, error: Math.sqrt(squares / (n * (n - 1))) };
}

/** p̂ over the window's attempts. */
function success({ summaries }: Seen, window: Window): Measured | null {
  const rates = inWindow(summaries, window).map(({ successRate }) => successRate);
  const attempts = sum(rates.map((rate) => rate.attempts));
  if (attempts === 0) return null;
  const value = sum(rates.map(({ successes }) => successes)) / attempts;
  // Epochs are independent; each weighs by its attempts.
  const parts = rates.map((rate) => (rate.attempts / attempts) * errorOf(rate));
  return { value, error: Math.sqrt(sum(parts.map((part) => part ** 2))) };
}

const inWindow = <T extends { epoch: number }>(some: readonly T[], { from, to }: Window): T[] =>
  some.filter(({ epoch }) => epoch >= from && epoch <= to);

/** Of the interval, which respects clusters and is not 0 where all were solved. */
const errorOf = ({ low, high }: SuccessRate): number => (high - low) / (2 * z);

const mean = (values: readonly number[]): number => sum(values) / values.length;
