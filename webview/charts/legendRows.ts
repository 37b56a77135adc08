/** Names of lines in rows below a narrow chart, where they would not fit beside it. Pure. */
import { textWidth } from './labels.ts';

export interface LegendPlace {
  x: number;
  row: number;
}

/** Pixels of a row, of the sample before a name, and of the gap after it. */
export const legendRow = 16;
export const legendSample = 24;
const gap = 14;

/** Where the sample of each name begins, as many in a row as fit into `width`, each row from `left`. */
export function legendRows(names: readonly string[], left: number, width: number): LegendPlace[] {
  const places: LegendPlace[] = [];
  let [x, row] = [left, 0];
  for (const name of names) {
    const wide = legendSample + textWidth(name);
    if (x > left && x + wide > width) [x, row] = [left, row + 1];
    places.push({ x, row });
    x += wide + gap;
  }
  return places;
}

/** Height of the rows; 0 without names. */
export const legendHeight = (places: readonly LegendPlace[]): number => {
  const last = places.at(-1);
  return last === undefined ? 0 : (last.row + 1) * legendRow + 4;
};
