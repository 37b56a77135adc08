/** Versions against each other, as a table: agents across, tasks down. */
import { countsOf } from '../../runs/facts/crossPlay.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import { onOneLine, type Printable } from '../text/styled.ts';
import { table, type Column } from '../text/table.ts';

interface Row {
  tasks: number;
  /** By the epoch after which the agent stood. */
  solved: ReadonlyMap<number, string>;
}

const inOrder = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

function solved(outcomes: string): string {
  const { successes, attempts } = countsOf(outcomes);
  return attempts === 0 ? '–' : String(Math.round((100 * successes) / attempts));
}

/** None where no versions were compared. */
export function versionLines(checks: readonly EventOf<'cross.played'>[], { width }: { width: number }): Printable[] {
  const cells = checks.flatMap((check) => check.cells);
  if (cells.length === 0) return [];
  const rows = inOrder(cells.map(({ tasks }) => tasks)).map((tasks): Row => {
    const own = cells.filter((cell) => cell.tasks === tasks);
    return { tasks, solved: new Map(own.map(({ agent, outcomes }) => [agent, solved(outcomes)])) };
  });
  const agents = inOrder(cells.map(({ agent }) => agent));
  const columns: readonly Column<Row>[] = [
    { title: 'tasks of epoch', cell: ({ tasks }) => String(tasks), right: true },
    ...agents.map((agent, i) => ({
      title: agent === 0 ? 'start' : `after ${agent}`,
      cell: ({ solved: of }: Row) => of.get(agent) ?? '',
      right: true,
      // The newest agent and the first stay where there is no room for all.
      ...(i !== 0 && i !== agents.length - 1 && { spare: agents.length - i }),
    })),
  ];
  const absent = [
    ...new Set(checks.flatMap((check) => check.absent ?? []).map(({ version, reason }) => `${version}: ${reason}`)),
  ];
  return [
    '',
    'Versions against each other: tasks that the agent after an epoch solved, %',
    ...table(columns, rows, width),
    ...absent.map((line) => onOneLine(`Not compared: ${line}`)),
  ];
}
