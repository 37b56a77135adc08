import { dirname } from 'node:path';
import type { Log } from '../../engine/ports.ts';
import type { FileOperations } from '../files/fileOperations.ts';
import type { RecordKind } from './recordKind.ts';
import type { RecordColumns } from './recordColumns.ts';
import { headerOf } from './recordRow.ts';
import { messageOf } from '../../shared/messageOf.ts';

const chunkRows = 16 * 1024;

/** The part of a record log that goes into its index file. */
interface Indexed {
  readonly kind: Pick<RecordKind<{ id: string; epoch: number }>, 'code'>;
  readonly paths: { index: string };
  readonly columns: RecordColumns;
  indexedRows: number;
}

function* encoded(columns: RecordColumns, count: number, kind: number): Generator<Uint8Array> {
  yield headerOf(kind);
  for (let row = 0; row < count; row += chunkRows) yield columns.encode(row, Math.min(count, row + chunkRows));
}

/** Replaces the index file by the current rows. A failure is only logged: an index can always be rebuilt. */
export async function persistIndex(
  log: Indexed,
  { files, log: told }: { files: FileOperations; log: Log },
): Promise<void> {
  const { count } = log.columns;
  try {
    await files.makeFolder(dirname(log.paths.index));
    await files.replace(log.paths.index, encoded(log.columns, count, log.kind.code));
    log.indexedRows = count;
  } catch (error) {
    told.warn(`Cannot keep the index ${log.paths.index}: ${messageOf(error)}`);
    // Not tried again by this reader.
    log.indexedRows = count;
  }
}
