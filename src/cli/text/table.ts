import { displayWidth, padEnd, padStart, truncate } from './displayWidth.ts';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => string;
  /** Numbers stand right. */
  right?: boolean;
  /** Gives way when the table is too wide. */
  shrinks?: boolean;
}

/** Rows under titles, two spaces between the columns; at most `width` cells wide where a column can shrink. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width = Infinity): string[] {
  const cells = [columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ cell }) => cell(row)))];
  const widths = columns.map((_, c) => Math.max(...cells.map((row) => displayWidth(row[c] ?? ''))));
  const excess = widths.reduce((sum, one) => sum + one, 0) + 2 * (columns.length - 1) - width;
  const elastic = columns.findIndex(({ shrinks }) => shrinks === true);
  if (excess > 0 && elastic >= 0) widths[elastic] = Math.max(8, (widths[elastic] ?? 0) - excess);
  return cells.map((row) =>
    columns
      .map(({ right }, c) => {
        const cell = truncate(row[c] ?? '', widths[c] ?? 0);
        return right === true ? padStart(cell, widths[c] ?? 0) : padEnd(cell, widths[c] ?? 0);
      })
      .join('  ')
      .trimEnd(),
  );
}
