/**
 * The key of a task, its name in every reading of its file: its id, or a digest of its line where it has none. A line's
 * number names a task to people only, as any line above changes it.
 */
import { hashOf } from '../../../runs/index/recordRow.ts';
import { lineMark } from '../contract.ts';

const hex = (word: number): string => word.toString(16).padStart(8, '0');

/** @param text the line without blanks around it */
export function lineKey(text: string): string {
  const { low, high } = hashOf(text);
  return `${lineMark}${hex(high)}${hex(low)}`;
}
