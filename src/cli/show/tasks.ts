import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { oneLine } from '../text/displayWidth.ts';
import { style } from '../text/style.ts';
import { Styled, type Printable } from '../text/styled.ts';
import { table } from '../text/table.ts';
import { inColumn } from '../../shared/text/figures/numbers.ts';

/** A task with the attempts at it in one epoch. */
export interface AttemptedTask {
  task: Task;
  traces: readonly Trace[];
}

/** `show RUN --tasks --family F`: its texts, accepted or not, with their attempts. */
export function taskLines(tasks: readonly AttemptedTask[], { width }: { width: number }): Styled[] {
  return table(
    [
      { title: 'task', cell: ({ task }) => task.id },
      { title: 'status', cell: ({ task }) => statusText(task) },
      { title: 'attempts', cell: ({ traces }) => Styled.joined(traces.map(mark)) },
      { title: 'complexity', cell: ({ task }) => complexityText(task) },
      { title: 'text', cell: ({ task }) => textOf(task), shrinks: true },
    ],
    tasks,
    width,
  );
}

const statusText = ({ status, cause }: Task): Printable =>
  status === 'accepted' ? status : style.bad(cause ?? status);

/** ✓ solved, ✗ not, ? the checker failed. */
function mark({ verdict }: Trace): Styled {
  if (verdict.error !== undefined) return style.warn('?');
  return verdict.success ? style.good('✓') : style.bad('✗');
}

export const complexityText = ({ complexity }: Pick<Task, 'complexity'>): string =>
  Object.entries(complexity)
    .map(([name, value]) => `${name} ${Number.isInteger(value) ? value : inColumn(value)}`)
    .join(', ');

function textOf({ prompt, generation, note }: Task): string {
  const asked = prompt.findLast(({ role }) => role === 'user')?.content;
  return oneLine(asked ?? note ?? generation?.text ?? '');
}
