/** A policy's scores on a benchmark: pass@k by category and over all, and the authors' own totals. */
import type { Outcome } from './outcome.ts';
import { meanPassAtK } from '../../engine/math/passAtK.ts';
import type { PassAtK } from '../../shared/journal/events.ts';
import { partTotals } from './partTotals.ts';
import { totalsOf, type Total } from './totals.ts';

export interface ScoreRow {
  category: string;
  tasks: number;
  /** Judged ones. */
  attempts: number;
  successes: number;
  pass: readonly PassAtK[];
}

export interface ScoreTable {
  /** Categories in the order in which they come. */
  rows: readonly ScoreRow[];
  /** Right/all over every category. */
  all: ScoreRow;
  totals: readonly Total[];
  /** Mean of each part over all judged attempts, but for those that are in the totals. */
  parts: Readonly<Record<string, number>>;
  /** Attempts at which the checker failed. */
  errors: number;
}

/** @param rule the scorer's name @param ks k of pass@k, ascending */
export function scoreTable(outcomes: readonly Outcome[], rule: string, ks: readonly number[]): ScoreTable {
  const categories = Map.groupBy(outcomes, ({ category }) => category);
  const rows = [...categories].map(([category, own]) => rowOf(category, own, ks));
  const all = rowOf('all', outcomes, ks);
  const rates = [...categories].flatMap(([category, own]) => {
    const { value, tasks } = meanPassAtK(own, 1);
    return value === null ? [] : [{ category, tasks, rate: value }];
  });
  const sums: Record<string, number> = {};
  for (const { parts } of outcomes) {
    for (const [name, value] of Object.entries(parts)) sums[name] = (sums[name] ?? 0) + value;
  }
  const { totals, used } = partTotals(rule, outcomes);
  return {
    ...{ rows, all, totals: [...totalsOf(rule, rates), ...totals] },
    parts: Object.fromEntries(
      Object.entries(sums)
        .filter(([name]) => !used.includes(name))
        .map(([name, sum]) => [name, sum / all.attempts]),
    ),
    errors: outcomes.reduce((sum, { errors }) => sum + errors, 0),
  };
}

const rowOf = (category: string, own: readonly Outcome[], ks: readonly number[]): ScoreRow => ({
  ...{ category, tasks: own.length },
  attempts: own.reduce((sum, { attempts }) => sum + attempts, 0),
  successes: own.reduce((sum, { successes }) => sum + successes, 0),
  pass: ks.map((k) => meanPassAtK(own, k)),
});
