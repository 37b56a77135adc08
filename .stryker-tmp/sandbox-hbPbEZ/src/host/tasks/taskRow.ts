/** A task as a row of the page. */
import { flagsIn } from '../../runs/health/health.ts';
import type { EditedTasks, NowTask } from '../../runs/taskTable/editedTasks.ts';
import { statuses } from '../../runs/taskTable/taskColumns.ts';
import type { TaskRow } from '../../shared/views/tasks.ts';

/** Characters of a title. */
const titleLength = 120;

export function rowOf({ columns }: EditedTasks, { row, task, now }: NowTask): TaskRow {
  const [reward, weight] = [columns.reward[row] ?? NaN, columns.weight[row] ?? NaN];
  return {
    at: row,
    id: task.id,
    family: task.family,
    epoch: task.epoch,
    origin: task.origin,
    // A file's rows say so themselves before they are scanned.
    status: now.excluded !== null ? 'excluded' : (statuses[columns.status[row] ?? 0] ?? 'accepted'),
    rate: { successes: columns.successes[row] ?? 0, attempts: columns.attempts[row] ?? 0 },
    environmentReward: Number.isNaN(reward) ? null : reward,
    weight: Number.isNaN(weight) ? null : weight,
    length: now.prompt.reduce((sum, { content }) => sum + content.length, 0),
    flags: flagsIn(columns.flags[row] ?? 0),
    tags: [...now.tags],
    edited: columns.edited[row] === 1,
    title: titleOf(now.prompt),
  };
}

/** The first words of what is asked: of the last turn, which asks. */
function titleOf(prompt: NowTask['now']['prompt']): string {
  const asked = prompt.findLast(({ role }) => role === 'user') ?? prompt.at(-1);
  const words = (asked?.content ?? '')
    .slice(0, titleLength * 4)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words.length > titleLength ? `${words.slice(0, titleLength)}…` : words;
}
