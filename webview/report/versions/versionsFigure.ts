/** Versions against each other, where the run compared them. */
import { versionMatrix } from '../../charts/versions/versionMatrix.ts';
import { versionsChart } from '../../charts/versions/versionsChart.ts';
import type { Context } from '../context.ts';
import { figure } from '../figure.ts';
import { cellWords, versionColumns, versionsNote, versionsReading } from './versionWords.ts';

export function versionsFigure({ data }: Context): HTMLElement | null {
  const matrix = versionMatrix(data.epochs);
  if (matrix === null) return null;
  const reading = versionsReading(matrix);
  const chart = versionsChart(() => ({
    ...{ name: 'Versions against each other', reading, matrix, said: cellWords },
    ...{ agents: 'agent after epoch', tasks: 'tasks of epoch' },
  }));
  const twin = {
    columns: versionColumns,
    rows: () =>
      matrix.cells.map((cell) => [
        ...[String(cell.tasks), String(cell.agent), cell.version, String(cell.successes), String(cell.attempts)],
      ]),
  };
  const title = 'Versions against each other';
  return figure({ id: 'versions', title, reading, chart: chart.node, twin, note: versionsNote(matrix) });
}
