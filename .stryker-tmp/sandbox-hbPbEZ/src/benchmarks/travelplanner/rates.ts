import { keepsAll, type PlanVerdict } from './judgePlan.ts';
import type { Outcome } from './outcome.ts';

/** Queries of a split, and how many hard constraints they set: the official program has both as constants. */
const splits = {
  train: { queries: 45, hardConstraints: 105 },
  validation: { queries: 180, hardConstraints: 420 },
  test: { queries: 1000, hardConstraints: 2290 },
} as const;

export type Split = keyof typeof splits;

/** The six official rates, shares between 0 and 1, of the verdicts over a whole split. */
export function ratesOf(split: Split, verdicts: readonly PlanVerdict[]) {
  const { queries, hardConstraints } = splits[split];
  let [delivered, commonsenseKept, commonsenseAll, hardKept, hardAll, final] = [0, 0, 0, 0, 0, 0];
  for (const { delivered: isThere, commonsense, hard, finalPass } of verdicts) {
    if (isThere) delivered += 1;
    if (commonsense !== null) commonsenseKept += kept(commonsense);
    if (commonsense === null || hard === null) continue;
    hardKept += kept(hard);
    if (keepsAll(commonsense)) commonsenseAll += 1;
    if (keepsAll(hard)) hardAll += 1;
    if (finalPass) final += 1;
  }
  return {
    'Delivery Rate': delivered / queries,
    'Commonsense Constraint Micro Pass Rate': commonsenseKept / (8 * queries),
    'Commonsense Constraint Macro Pass Rate': commonsenseAll / queries,
    'Hard Constraint Micro Pass Rate': hardKept / hardConstraints,
    'Hard Constraint Macro Pass Rate': hardAll / queries,
    'Final Pass Rate': final / queries,
  };
}

const kept = (outcomes: Readonly<Record<string, Outcome>>): number =>
  Object.values(outcomes).filter(([holds]) => holds === true).length;
