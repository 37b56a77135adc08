import { displayWidth, padEnd, padStart, truncate } from './displayWidth.ts';
import { joinedBy, onOneLine, type Printable, type Styled } from './styled.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => Printable;
  /** Numbers stand right. */
  right?: boolean;
  /** Gives way when the table is too wide. */
  shrinks?: boolean;
  /** Order in which columns of a too wide table are dropped, the highest first; a column without it stays. */
  spare?: number;
}

/**
 * Rows under titles, two spaces between the columns. Beyond `width`, it narrows the shrinking column, then drops the
 * spare ones.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width = Infinity): Styled[] {
  const cells = rows.map((row) => columns.map(({ cell }) => onOneLine(cell(row))));
  const natural = columns.map(({ title }, c) =>
    cells.reduce((widest, row) => Math.max(widest, displayWidth(row[c] ?? '')), displayWidth(title)),
  );
  const kept = fitting(columns, natural, width);
  const widths = natural.filter((_, c) => kept[c]);
  const shown = columns.filter((_, c) => kept[c]);
  const elastic = shown.findIndex(({ shrinks }) => shrinks === true);
  const excess = total(widths) - width;
  if (excess > 0 && elastic >= 0) widths[elastic] = Math.max(least, (widths[elastic] ?? outOfRange()) - excess);
  const line = (row: readonly Printable[]): Styled =>
    joinedBy(
      '  ',
      shown.map(({ right }, c) => {
        const cell = truncate(row[c] ?? '', widths[c] ?? outOfRange());
        return right === true ? padStart(cell, widths[c] ?? outOfRange()) : padEnd(cell, widths[c] ?? outOfRange());
      }),
    ).trimmedEnd();
  return [shown.map(({ title }) => title), ...cells.map((row) => row.filter((_, c) => kept[c]))].map(line);
}

/** Cells that a column which shrinks keeps. */
const least = 8;

const total = (widths: readonly number[]): number => widths.reduce((sum, one) => sum + one, 2 * (widths.length - 1));

/** The columns that remain after shrinking. */
function fitting<Row>(columns: readonly Column<Row>[], widths: readonly number[], width: number): boolean[] {
  const kept = columns.map(() => true);
  const narrowest = widths.map((one, c) => (columns[c]?.shrinks === true ? Math.min(one, least) : one));
  const spare = columns
    .map(({ spare: rank }, c) => ({ rank, c }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
  for (const { c } of spare) {
    if (total(narrowest.filter((_, i) => kept[i])) <= width) break;
    kept[c] = false;
  }
  return kept;
}
