/** Thread that decodes parquet: a damaged or made-up file may ask for any work. */
import * as l10n from '@vscode/l10n';
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
  type SchemaTree,
} from 'hyparquet';
import { serve } from '../../sandbox/serve.ts';
import { largest } from '../../shared/extremes.ts';
import { codeOf } from '../../shared/systemError.ts';
import { parquetJobSchema, type ParquetAnswer, type ParquetJob } from './parquetProtocol.ts';
import { jsonOf, strictParsers, withoutDecimals } from './parquetValues.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { messageOf } from '../../shared/messageOf.ts';

/** Of one answer. */
const mostRows = 1_000;
/** Rows of one group: usual writers put up to a million in it. */
const mostGroupRows = 20_000_000;

interface Opened {
  file: string;
  buffer: AsyncBuffer;
  metadata: FileMetaData;
  /** The file's own schema. */
  schema: SchemaTree;
}

let opened: Opened | null = null;
let held: { group: number; rows: Record<string, unknown>[] } | null = null;

serve(async (raw): Promise<ParquetAnswer> => {
  try {
    return await rowsFrom(parquetJobSchema.parse(raw));
  } catch (error) {
    const message = messageOf(error);
    const code = codeOf(error);
    return code === '' ? { type: 'refused', message } : { type: 'unreadable', code, message };
  }
});

async function rowsFrom({ file, group, from }: ParquetJob): Promise<ParquetAnswer> {
  const { metadata, schema } = (opened = opened?.file === file ? opened : await open(file));
  const groups = metadata.row_groups.length;
  if (group >= groups) return { type: 'rows', rows: [], next: null };
  const all = held?.group === group ? held.rows : await read(opened, group);
  held = { group, rows: all };
  const rows = all.slice(from, from + mostRows);
  const to = from + rows.length;
  const next = to < all.length ? { group, from: to } : group + 1 < groups ? { group: group + 1, from: 0 } : null;
  return { type: 'rows', rows: rows.map((row) => JSON.stringify(jsonOf(row, schema))), next };
}

async function open(file: string): Promise<Opened> {
  held = null;
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  return { file, buffer, metadata: withoutDecimals(metadata), schema: parquetSchema(metadata) };
}

async function read({ buffer, metadata }: Opened, group: number): Promise<Record<string, unknown>[]> {
  const sizes = metadata.row_groups.map(({ num_rows }) => Number(num_rows));
  const start = sizes.slice(0, group).reduce((sum, size) => sum + size, 0);
  const size = sizes[group] ?? outOfRange();
  // An allocation beyond a thread's limit ends the process, so the file's own figures are not trusted.
  const values = metadata.row_groups[group]?.columns.map(({ meta_data }) => Number(meta_data?.num_values ?? 0)) ?? [];
  const bytes =
    metadata.row_groups[group]?.columns.map(({ meta_data }) => Number(meta_data?.total_compressed_size ?? 0)) ?? [];
  if (!(size >= 0 && size <= mostGroupRows) || values.some((count) => !(count >= 0 && count <= mostGroupRows))) {
    throw new Error(l10n.t('its group {0} says that it has {1} values', group + 1, Math.max(size, largest(values))));
  }
  if (bytes.some((count) => !(count >= 0 && count <= buffer.byteLength))) {
    throw new Error(l10n.t('its group {0} says that it is larger than the file', group + 1));
  }
  const rows = { rowStart: start, rowEnd: start + size };
  return parquetReadObjects({ file: buffer, metadata, ...rows, utf8: false, parsers: strictParsers });
}
