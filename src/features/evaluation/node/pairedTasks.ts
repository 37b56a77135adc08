/** Two evaluations, task by task: gained, lost, missed by both; and which answers show it. */
import type { Outcome } from '../../../benchmarks/evaluate/outcome.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { PairRow } from '../contract.ts';
import type { StoredEvaluation } from './evaluationFolder.ts';
import { sharedOutcomes } from './sharedOutcomes.ts';

export interface PairedTasks {
  /** Tasks that both solved as often, all or some of the times. */
  equal: number;
  rows: PairRow[];
}

export function pairedTasks(first: StoredEvaluation, second: StoredEvaluation): PairedTasks {
  const rows: PairRow[] = [];
  let equal = 0;
  for (const { before, after } of sharedOutcomes(first, second).pairs) {
    const kind = kindOf(before, after);
    if (kind === null) equal += 1;
    else rows.push({ task: before.task, category: before.category, kind, rights: [rightOf(before), rightOf(after)] });
  }
  return { equal, rows };
}

function kindOf(before: Outcome, after: Outcome): PairRow['kind'] | null {
  const [a, b] = [before.successes / before.asked, after.successes / after.asked];
  if (b > a) return 'gained';
  if (b < a) return 'lost';
  return a === 0 ? 'missed' : null;
}

const rightOf = ({ successes, asked }: Outcome): string => `${successes}/${asked}`;

/** An answer of each to a task, of different verdicts where there are; null where one did not answer. */
export function answersTo(task: string, first: StoredEvaluation, second: StoredEvaluation): (Trace | null)[] {
  const [a, b] = [first, second].map(({ answers }) => answers.filter((one) => one.task === task));
  const differing = a?.flatMap((one) => {
    const other = b?.find(({ verdict }) => verdict.success !== one.verdict.success);
    return other === undefined ? [] : [[one, other]];
  })[0];
  return differing ?? [a?.[0] ?? null, b?.[0] ?? null];
}
