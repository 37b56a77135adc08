import type { Adapter } from '../../shared/adapters/schema.ts';
import { openJoins } from './joined.ts';
import { locate } from './locate.ts';
import type { OpenedData } from './splitRecords.ts';

/** Finds an adapter's files and reads what it joins. @throws DataError when its folder is not there */
export async function openData(adapter: Adapter, folder: string): Promise<OpenedData> {
  const located = await locate(folder, adapter.data);
  return { adapter, located, joins: await openJoins(adapter.data, located) };
}
