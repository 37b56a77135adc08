/** A pool written to a file, or seen before it is written. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Writable } from 'node:stream';
import type * as z from 'zod';
import { parquetBytes } from '../../shared/parquet/parquetBytes.ts';
import type { Task } from '../../shared/records/task.ts';
import { defined } from '../../shared/defined.ts';
import { exportFile } from './exportFile.ts';
import { formatOf, type ExportChoice, type ExportedPool, type FormatName } from './formats.ts';
import { LeftOut, type LeftOutLine } from './leftOut.ts';
import type { ItemKind, PoolPart } from './poolPart.ts';
import { poolRows } from './poolRows.ts';
import { watched, type PoolSource, type Watch } from './poolSource.ts';
import type { Posing } from './prompts.ts';
import { writeBytes } from './writeBytes.ts';
import { writeJsonLines } from './writeJsonLines.ts';

export interface PoolExport extends Watch {
  choice: ExportChoice;
  source: PoolSource;
  /** Tasks that the run did not write itself and so does not record: base tasks, and offline ones. */
  given: readonly Task[];
  part?: PoolPart;
  /** How the run's domain words prompts that no record tells; as tasks have them when absent. */
  posing?: Posing;
  /** Whose verdicts the source has in place of the recorded ones. */
  rescorings?: readonly string[];
}

/** The exported rows, and those left out and why. */
export interface ExportManifest {
  v: 1;
  run: string;
  pool: ExportedPool;
  format: FormatName;
  /** The purpose of the rows. */
  use: string;
  file: string;
  rows: number;
  bytes: number;
  /** The chosen part of the pool; null for all. */
  part: { kinds: readonly ItemKind[] | null; epochs: readonly [number, number] | null };
  leftOut: LeftOutLine[];
  /** Rows that are not what they could be, and why; absent without any. */
  warnings?: LeftOutLine[];
  /** The rescorings whose verdicts replace the recorded ones; absent for the recorded verdicts. */
  rescorings?: readonly string[];
}

export const manifestFileOf = (file: string): string => `${file}.manifest.json`;

export const isParquet = (file: string): boolean => file.toLowerCase().endsWith('.parquet');

/**
 * Writes the file, parquet where its name says so and JSON lines otherwise, and its manifest beside it.
 * @throws RunError, and the reason of the signal
 */
export async function exportPool(file: string, options: PoolExport): Promise<ExportManifest> {
  const { choice, source, part, rescorings } = options;
  const { use, rows: forms } = formatOf(choice);
  const { rows, leftOut, warnings } = await exportFile(file, (out) =>
    streamPool(options, (values) => (isParquet(file) ? writeParquet(forms, values, out) : writeJsonLines(values, out))),
  );
  const manifest: ExportManifest = {
    ...{ v: 1, run: source.manifest.id, pool: choice.pool, format: choice.format, use },
    ...{ file: basename(file), rows, bytes: (await stat(file)).size },
    part: { kinds: part?.kinds ?? null, epochs: part?.epochs ?? null },
    leftOut,
    ...(warnings.length > 0 && { warnings }),
    ...defined({ rescorings }),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await exportFile(manifestFileOf(file), (out) => writeBytes([Buffer.from(text)], out));
  return manifest;
}

export interface StreamedPool {
  rows: number;
  leftOut: LeftOutLine[];
  /** Rows that are not what they could be, and why. */
  warnings: LeftOutLine[];
}

/** Streams all rows of a pool to a consumer. @throws as `exportPool` does */
export async function streamPool(
  { choice, source, given, part = {}, posing = ({ prompt }) => prompt, ...watch }: PoolExport,
  take: (rows: AsyncIterable<Record<string, unknown>>) => Promise<unknown>,
): Promise<StreamedPool> {
  const left = new LeftOut();
  const warned = new LeftOut();
  let rows = 0;
  const told = { leave: left.leave, warn: warned.leave };
  const all = poolRows(choice, { source: watched(source, watch), given, part, posing, ...told });
  async function* counted() {
    for await (const row of all) {
      rows += 1;
      yield row;
    }
  }
  await take(counted());
  return { rows, leftOut: left.lines, warnings: warned.lines };
}

function writeParquet(
  forms: readonly z.ZodObject[],
  rows: AsyncIterable<Record<string, unknown>>,
  out: Writable,
): Promise<void> {
  const [form] = forms;
  if (form === undefined) throw new TypeError('A format without rows cannot be written.');
  return writeBytes(parquetBytes(form, rows), out);
}
