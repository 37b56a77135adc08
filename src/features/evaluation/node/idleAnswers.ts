/** Answers of a file that belong to no task of the evaluation. */
import * as l10n from '@vscode/l10n';
import { nearest } from '../../../shared/experiment/problems/nearest.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Answers } from './answersPolicy.ts';
import { EvaluationError } from './evaluationError.ts';

export interface IdleAnswers {
  /** Answers whose id is none of the tasks’. */
  unknown: number;
  /** Answers to attempts that are not made. */
  beyond: number;
  /** Ids of both, the first few. */
  examples: readonly string[];
  /** Answers that another one of the same id, further down, replaces. */
  replaced: number;
}

const shown = 3;

/** @param attempts n, of each task */
export function idleAnswers(
  { of, replaced }: Answers,
  tasks: readonly Pick<Task, 'id'>[],
  attempts: number,
): IdleAnswers {
  const ids = new Set(tasks.map(({ id }) => id));
  const unknown = of.filter(({ id }) => !ids.has(id));
  const beyond = of.filter(({ id, index }) => ids.has(id) && index !== null && index >= attempts);
  return {
    ...{ unknown: unknown.length, beyond: beyond.length, replaced },
    examples: [...new Set([...unknown, ...beyond].map(({ id }) => id))].slice(0, shown),
  };
}

/** No answer of the file is to any of the tasks. */
export function foreignAnswers(
  path: string,
  { examples }: IdleAnswers,
  tasks: readonly Pick<Task, 'id'>[],
): EvaluationError {
  const [theirs = ''] = examples;
  const near = nearest(
    theirs,
    tasks.map(({ id }) => id),
  );
  const ours = near ?? tasks[0]?.id ?? '';
  return new EvaluationError(
    'answers',
    l10n.t('{0} answers none of these tasks: its ids are like “{1}”, the tasks’ like “{2}”.', path, theirs, ours),
    l10n.t('Give answers to the same splits, under the ids that genenv check-adapter --out writes.'),
  );
}
