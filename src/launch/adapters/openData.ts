import { openJoins } from './joined.ts';
import { locate } from './locate.ts';
import type { OpenedData, RecordSource } from './splitRecords.ts';

/** Finds an adapter's files and reads its joined data. @throws DataError `no-folder`, `outside` */
export async function openData(adapter: RecordSource, folder: string, outside = false): Promise<OpenedData> {
  const located = await locate(folder, adapter.data, outside);
  return { adapter, located, joins: await openJoins(adapter.data, located) };
}
