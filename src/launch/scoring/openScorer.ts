/** The rules that judge a run's attempts. */
import { ScorerTable } from '../../benchmarks/scorerTable.ts';
import { evaluationKind } from '../../benchmarks/storekeeper/task.ts';
import type { Task } from '../../shared/records/task.ts';

/** Scorers of the built-in domains' tasks, available without any file. */
const alwaysOpen = [evaluationKind, 'number'];

/**
 * Those of the domains that come with this program, and those that tasks from files name.
 * @param dist the folder of built files; null where tasks are only looked at
 * @throws OptionError naming a file of a benchmark that is judged by and missing
 */
export function openScorer(dist: URL | null, ...files: readonly (readonly Task[] | null)[]): Promise<ScorerTable> {
  const tasks = files.flatMap((one) => one ?? []);
  const kinds = tasks.map(({ evaluation }) => evaluation.kind);
  return ScorerTable.open([...alwaysOpen, ...kinds], dist, dist === null ? [] : tasks);
}

/** Whether a task is of the built-in domain, which writes, verifies and plays its own. */
export const isBuiltIn = ({ evaluation }: Pick<Task, 'evaluation'>): boolean => evaluation.kind === evaluationKind;
