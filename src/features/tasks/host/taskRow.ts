/** A task as a row of the page. */
import { flagsIn } from '../../health/contract.ts';
import type { EditedTasks, NowTask } from '../node/editedTasks.ts';
import { statuses } from '../node/taskColumns.ts';
import type { TaskRow } from '../contract.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Characters of a title. */
const titleLength = 120;

export function rowOf({ columns }: EditedTasks, { row, task, now, damaged }: NowTask): TaskRow {
  const [reward, weight] = [columns.reward[row] ?? NaN, columns.weight[row] ?? NaN];
  return {
    at: row,
    ...{ id: task.id, name: task.id },
    family: task.family,
    epoch: task.epoch,
    origin: task.origin,
    // A file's rows say so themselves before they are scanned.
    status:
      damaged !== null
        ? 'damaged'
        : now.excluded !== null
          ? 'excluded'
          : (statuses[columns.status[row] ?? outOfRange()] ?? 'accepted'),
    rate: { successes: columns.successes[row] ?? outOfRange(), attempts: columns.attempts[row] ?? outOfRange() },
    environmentReward: Number.isNaN(reward) ? null : reward,
    weight: Number.isNaN(weight) ? null : weight,
    length: now.prompt.reduce((sum, { content }) => sum + content.length, 0),
    flags: flagsIn(columns.flags[row] ?? outOfRange()),
    tags: [...now.tags],
    edited: columns.edited[row] === 1,
    title: shortened(damaged ?? askedIn(now.prompt)),
  };
}

/** The question: the last turn of the prompt that asks. */
const askedIn = (prompt: NowTask['now']['prompt']): string =>
  (prompt.findLast(({ role }) => role === 'user') ?? prompt.at(-1))?.content ?? '';

/** The first words of a text. */
function shortened(text: string): string {
  const words = text
    .slice(0, titleLength * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words.length > titleLength ? `${words.slice(0, titleLength)}…` : words;
}
