/** A summary of an adapter's data. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter } from '../../shared/adapters/schema.ts';
import { openJoins } from './joined.ts';
import { locate } from './locate.ts';
import { countRecords } from './nthRecord.ts';

/** More than these bytes are not read for a glance. */
const most = 64 * 2 ** 20;

export interface DataGlance {
  files: number;
  /** Of all splits; null where there is too much to read. */
  records: number | null;
  /** The authors' number of records over all splits; null where some are unknown. */
  expected: number | null;
  /** Patterns that no file matches. */
  missing: string[];
}

/** @throws DataError, and the signal's reason */
export async function lookAtData(
  adapter: Adapter,
  folder: string,
  signal: AbortSignal,
  outside = false,
): Promise<DataGlance> {
  const located = await locate(folder, adapter.data, outside);
  const parts = [...located.splits, ...located.joins];
  const files = new Set(parts.flatMap((one) => one.files));
  let bytes = 0;
  for (const file of files) bytes += (await stat(join(folder, file))).size;
  const expectations = Object.values(adapter.data.splits).map(({ records }) => records ?? null);
  const expected = expectations.reduce<number | null>(
    (sum, one) => (sum === null || one === null ? null : sum + one),
    0,
  );
  const missing = parts.flatMap((one) => one.missing);
  if (bytes > most) return { files: files.size, records: null, expected, missing };
  const data = { adapter, located, joins: await openJoins(adapter.data, located) };
  let records = 0;
  for (const { name } of located.splits) records += await countRecords(data, name, signal);
  return { files: files.size, records, expected, missing };
}
