/** `list_tasks` and `read_task`. */
import * as z from 'zod';
import { taskFlags, traceFlags } from '../../../../runs/index/recordKind.ts';
import type { RecordColumns } from '../../../../runs/index/recordColumns.ts';
import { hashOf } from '../../../../runs/index/recordRow.ts';
import type { RunReader } from '../../../../runs/store/runReader.ts';
import { append } from '../../../../shared/append.ts';
import { outOfRange } from '../../../../shared/outOfRange.ts';
import { overlayAfter, withOverlay, type TaskOverlay } from '../../../../shared/records/taskEdit.ts';
import type { Task } from '../../../../shared/records/task.ts';
import { AgentError } from '../../core/agentError.ts';
import { dataBlock, dataNotice, named, table } from '../../core/quoting.ts';
import { page, paged, restOf, tool } from '../../core/tool.ts';
import type { AgentContext } from '../agentContext.ts';
import { domainFromCopies } from '../givenTasks.ts';
import { runField } from './runs.ts';

/** Characters of one text of a task. */
const longest = 6000;

export const listTasks = tool({
  name: 'list_tasks',
  title: 'List Tasks',
  description:
    'Lists tasks of a run, in the order written: those that the environment policy wrote (accepted or rejected, with the ' +
    'cause), or those that it was given (base, validation), each with how often training attempts solved it.',
  does: 'read',
  input: z.strictObject({
    run: runField,
    which: z
      .enum(['written', 'given'])
      .default('written')
      .describe('Tasks that the environment wrote, or base and validation tasks.'),
    epoch: z.int().nonnegative().optional().describe('Only tasks written in this epoch.'),
    family: z.string().max(300).optional().describe('Only tasks of this family.'),
    status: z.enum(['accepted', 'rejected']).optional(),
    ...page,
  }),
  answer: (context: AgentContext, asked) =>
    context.withRun(asked.run, async (run) => {
      const { tasks: columns, traces } = await run.rows();
      if (asked.which === 'given') {
        if (asked.epoch !== undefined || asked.status !== undefined) {
          throw new AgentError(
            'bad-input',
            'Given tasks have no epoch and no status.',
            'Leave both out, or list written ones.',
          );
        }
        const { given } = await domainFromCopies(run);
        const fitting = given.filter(({ family }) => asked.family === undefined || family === asked.family);
        const { rows, rest } = paged(fitting, asked);
        return listed(context, run, rows, traces, rest);
      }
      const family = asked.family === undefined ? null : hashOf(asked.family);
      const wanted = asked.status === undefined ? null : asked.status === 'accepted' ? taskFlags.accepted : 0;
      const fits = (row: number): boolean =>
        (asked.epoch === undefined || columns.epoch[row] === asked.epoch) &&
        (family === null || (columns.familyLow[row] === family.low && columns.familyHigh[row] === family.high)) &&
        (wanted === null || ((columns.flags[row] ?? outOfRange()) & taskFlags.accepted) === wanted);
      const { rows, count } = pageOfRows(columns, fits, asked);
      const tasks: Task[] = [];
      for (const row of rows) append(tasks, await run.tasksAt(row, row + 1));
      return listed(context, run, tasks, traces, restOf(count, { from: asked.from, shown: rows.length }));
    }),
});

/** The rows of a page, and how many fit in all. */
export function pageOfRows(
  { count: all }: Pick<RecordColumns, 'count'>,
  fits: (row: number) => boolean,
  { from, limit, newest = false }: { from: number; limit: number; newest?: boolean },
): { rows: number[]; count: number } {
  const rows: number[] = [];
  let count = 0;
  for (let i = 0; i < all; i++) {
    const row = newest ? all - 1 - i : i;
    if (!fits(row)) continue;
    if (count >= from && rows.length < limit) rows.push(row);
    count += 1;
  }
  return { rows, count };
}

function listed(
  context: AgentContext,
  run: RunReader,
  tasks: readonly Task[],
  traces: RecordColumns,
  rest: readonly string[],
): string {
  if (tasks.length === 0) return ['No task fits.', ...rest].join('\n');
  const rows = tasks.map((task) => {
    const { solved, judged } = attemptsAt(task.id, traces);
    return [
      context.link(task.id, { run: run.id, task: task.id }),
      named(task.family),
      String(task.epoch),
      task.status === 'accepted' ? task.origin : `rejected: ${task.cause ?? ''}`,
      judged === 0 ? '–' : `${solved}/${judged}`,
    ];
  });
  return [...table(['task', 'family', 'epoch', 'origin', 'solved in training'], rows), '', ...rest, dataNotice].join(
    '\n',
  );
}

/** Of all epochs, from the index alone. */
function attemptsAt(id: string, traces: RecordColumns): { solved: number; judged: number } {
  const { low, high } = hashOf(id);
  let solved = 0;
  let judged = 0;
  for (let row = 0; row < traces.count; row++) {
    if (traces.taskLow[row] !== low || traces.taskHigh[row] !== high) continue;
    const flags = traces.flags[row] ?? outOfRange();
    if (((flags >>> traceFlags.purposeShift) & 3) !== 0 || (flags & traceFlags.unjudged) !== 0) continue;
    judged += 1;
    solved += flags & traceFlags.success;
  }
  return { solved, judged };
}

export const readTask = tool({
  name: 'read_task',
  title: 'Read a Task',
  description:
    'One task of a run: its prompt, tools, evaluation and gold, what people edited, and the epochs in which it was attempted.',
  does: 'read',
  input: z.strictObject({
    run: runField,
    task: z.string().min(1).max(500).describe('Id of the task, as list_tasks names it.'),
  }),
  answer: (context: AgentContext, asked) =>
    context.withRun(asked.run, async (run) => {
      const recorded = await taskOf(run, asked.task);
      const overlay = await overlayOf(run, asked.task);
      const task = withOverlay(recorded, overlay);
      const epochs = await run.epochsAttempting(task.id);
      const { tools = [] } = task;
      return [
        `# Task ${context.link(task.id, { run: run.id, task: task.id })}`,
        '',
        `Family ${named(task.family)}, epoch ${task.epoch}, ${task.origin}, ${task.status}${task.cause === undefined ? '' : ` (${task.cause})`}.`,
        `Attempted in epochs: ${epochs.length === 0 ? 'none' : `${epochs.slice(-20).join(', ')}${epochs.length > 20 ? ' (the last 20)' : ''}`}.`,
        ...(overlay === undefined ? [] : ['A person edited this task; it is shown as it is now.']),
        ...(task.plan === '' ? [] : dataBlock('Plan of the environment policy', task.plan, longest)),
        ...task.prompt.flatMap(({ role, content }) => dataBlock(`Prompt, ${role}`, content, longest)),
        ...(tools.length === 0 ? [] : dataBlock('Tools', JSON.stringify(tools, null, 1), longest)),
        ...dataBlock('Evaluation', JSON.stringify(task.evaluation, null, 1), longest),
        ...(task.gold === null ? [] : dataBlock('Gold', task.gold, longest)),
        ...(task.note === undefined ? [] : dataBlock('Note', task.note, longest)),
        '',
        dataNotice,
      ].join('\n');
    }),
});

async function taskOf(run: RunReader, id: string): Promise<Task> {
  const task = (await run.task(id)) ?? (await domainFromCopies(run)).given.find((one) => one.id === id);
  if (task !== undefined) return task;
  throw new AgentError('not-found', `The run ${run.id} has no task “${named(id)}”.`, 'list_tasks names its tasks.');
}

async function overlayOf(run: RunReader, id: string): Promise<TaskOverlay | undefined> {
  let overlay: TaskOverlay | undefined;
  for await (const event of run.events()) {
    if (event.type !== 'tasks.edited') continue;
    for (const edit of event.edits) if (edit.task === id) overlay = overlayAfter(overlay, edit);
  }
  return overlay;
}
