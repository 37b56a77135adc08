/** The tasks that two evaluations both asked, each with both outcomes. */
import { outcomesOf, type Outcome } from '../../../benchmarks/evaluate/outcome.ts';
import type { Task } from '../../../shared/records/task.ts';
import { askedIn, type StoredEvaluation } from './evaluationFolder.ts';

export interface OutcomePair {
  before: Outcome;
  after: Outcome;
}

export interface SharedOutcomes {
  pairs: readonly OutcomePair[];
  /** Ids that only one has. */
  unshared: number;
  /** Ids of both that name different tasks: as where ids count records, and a record was put in between. */
  differing: number;
}

export function sharedOutcomes(first: StoredEvaluation, second: StoredEvaluation): SharedOutcomes {
  const [before, after] = [byTask(first), byTask(second)];
  const [mine, theirs] = [marksOf(first.tasks), marksOf(second.tasks)];
  const common = [...before].flatMap(([task, one]) => {
    const other = after.get(task);
    return other === undefined ? [] : [{ before: one, after: other }];
  });
  const pairs = common.filter(({ before: { task } }) => {
    const [one, other] = [mine.get(task), theirs.get(task)];
    return one === undefined || other === undefined || one === other;
  });
  return {
    pairs,
    unshared: before.size + after.size - 2 * common.length,
    differing: common.length - pairs.length,
  };
}

const byTask = (stored: StoredEvaluation): Map<string, Outcome> =>
  new Map(outcomesOf(stored.answers, askedIn(stored)).map((one) => [one.task, one]));

/** A mark by which another task of the same id is known. Prompts may differ: adapters of one benchmark ask in their own words. */
const marksOf = (tasks: readonly Task[]): Map<string, string> =>
  new Map(
    tasks.map(({ id, gold, prompt }) => [
      id,
      JSON.stringify({ gold: gold ?? undefined, asked: gold === null ? lastTurn(prompt) : undefined }),
    ]),
  );

const lastTurn = (prompt: Task['prompt']): string => prompt.findLast(({ role }) => role === 'user')?.content ?? '';
