/** One record of a split by its number. */
import { splitRecords, type OpenedData, type SplitRecord } from './splitRecords.ts';

/** From 0; null when there are fewer. @throws DataError, and the signal's reason */
export async function nthRecord(
  data: OpenedData,
  split: string,
  index: number,
  signal: AbortSignal,
): Promise<SplitRecord | null> {
  let at = 0;
  for await (const record of splitRecords(data, split, signal)) {
    if (at === index) return record;
    at += 1;
  }
  return null;
}

/** How many there are. @throws DataError, and the signal's reason */
export async function countRecords(data: OpenedData, split: string, signal: AbortSignal): Promise<number> {
  const records = splitRecords(data, split, signal);
  let count = 0;
  while ((await records.next()).done !== true) count += 1;
  return count;
}
