import type * as z from 'zod';
import { parquetColumns, parquetValue } from './parquetColumns.ts';

/** Text and numbers of a row group, in bytes and roughly: encoding one may not hold a window for long. */
const groupBytes = 2 ** 20;

/**
 * Rows as the bytes of a parquet file (snappy, one row group about every MiB), piece by piece; earlier pieces are not
 * kept. A truncated file is not readable. The writer is loaded with its first use.
 * @throws TypeError for a schema that has no columns, and the errors of the rows' source
 */
export async function* parquetBytes<Row extends z.ZodObject>(
  row: Row,
  rows: AsyncIterable<z.infer<Row>> | Iterable<z.infer<Row>>,
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: parquetColumns(row), createdBy: 'genenv', statistics: false });
  const fields = Object.entries(row.shape).map(([name, type]) => ({ name, convert: parquetValue(type) }));
  const take = (): Uint8Array => {
    const bytes = new Uint8Array(writer.getBuffer());
    writer.index = 0;
    return bytes;
  };
  for await (const group of groups(rows)) {
    await parquet.write({
      columnData: fields.map(({ name, convert }) => {
        const values = group.map((one) => one.get(name));
        return { name, data: convert === null ? values : values.map(convert) };
      }),
      rowGroupSize: group.length,
    });
    yield take();
  }
  await parquet.finish();
  yield take();
}

/** Rows, by field, in groups of about `groupBytes`. */
async function* groups(rows: AsyncIterable<object> | Iterable<object>): AsyncGenerator<Map<string, unknown>[]> {
  let group: Map<string, unknown>[] = [];
  let bytes = 0;
  for await (const row of rows) {
    group.push(new Map(Object.entries(row)));
    bytes += sizeOf(row);
    if (bytes < groupBytes) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), 0);
}
