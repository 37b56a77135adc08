/** A study's budget, and what a base suggests. Pure. */
import { isObject } from '../../src/shared/experiment/resolve.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { expectedWork } from '../../src/shared/experiment/workload.ts';
import { budgetKinds, type BudgetKind } from '../../src/features/study/contract/file.ts';

/** The kind that a file names; null for none or several. */
export function budgetKindOf(value: unknown): BudgetKind | null {
  const named = isObject(value) ? budgetKinds.filter((kind) => value[kind] !== undefined) : [];
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** As much as the base would spend by itself. */
export function budgetAmount(kind: BudgetKind, base: Experiment | null): number {
  if (kind === 'seconds') return base?.budget.seconds ?? 3600;
  if (base === null) return { rollouts: 10_000, tokens: 1_000_000, updates: 50 }[kind];
  const work = expectedWork(base);
  return kind === 'updates' ? base.epochs : (base.budget[kind] ?? work[kind].run);
}
