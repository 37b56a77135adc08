/** Two evaluations, task by task: gained, lost, missed by both; and which answers show it. */
import { outcomesOf, type Outcome } from '../../../benchmarks/evaluate/outcome.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { PairRow } from '../contract.ts';
import { askedIn, type StoredEvaluation } from './evaluationFolder.ts';

export interface PairedTasks {
  /** Tasks that both solved as often, all or some of the times. */
  equal: number;
  rows: PairRow[];
}

export function pairedTasks(first: StoredEvaluation, second: StoredEvaluation): PairedTasks {
  const after = new Map(outcomesOf(second.answers, askedIn(second)).map((one) => [one.task, one]));
  const rows: PairRow[] = [];
  let equal = 0;
  for (const before of outcomesOf(first.answers, askedIn(first))) {
    const other = after.get(before.task);
    if (other === undefined) continue;
    const kind = kindOf(before, other);
    if (kind === null) equal += 1;
    else rows.push({ task: before.task, category: before.category, kind, rights: [rightOf(before), rightOf(other)] });
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
