import { crc32 } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { AppendFile } from '../files/appendFile.ts';
import { headerOf, hashOf, rowBytes, type RecordRow } from '../index/recordRow.ts';
import { recordVersion } from '../index/recordKind.ts';
import { linesOf } from '../files/linesOf.ts';
import type { RecordLog } from './recordLog.ts';
import { RunError } from '../store/runError.ts';
import type { RunContext } from '../store/runContext.ts';
import { messageOf } from '../../shared/messageOf.ts';

/**
 * Appends records and their index rows. An append resolves when write(2) has the records, which a killed process cannot
 * take back; `sync` puts them on the device, and the writer calls it before each journal event, which may refer to them.
 */
export class RecordAppender<T extends { id: string; epoch: number }> {
  readonly #log: RecordLog<T>;
  readonly #data: AppendFile;
  readonly #context: RunContext;
  #index: AppendFile | null;
  /** Ids handed to the disk and not yet rows. */
  readonly #pending = new Set<string>();

  private constructor(log: RecordLog<T>, data: AppendFile, index: AppendFile | null, context: RunContext) {
    this.#log = log;
    this.#data = data;
    this.#index = index;
    this.#context = context;
  }

  /** `log` must be refreshed, and the file free of a torn tail. `before` runs before each group of appends. */
  static async open<T extends { id: string; epoch: number }>(
    log: RecordLog<T>,
    context: RunContext,
    before: () => Promise<void>,
  ): Promise<RecordAppender<T>> {
    const data = await AppendFile.open(context.files, log.paths.records, log.columns.end, { durable: false, before });
    try {
      const index = await openIndex(log, context);
      log.written = true;
      return new RecordAppender(log, data, index, context);
    } catch (error) {
      await data.close();
      throw error;
    }
  }

  /** @throws RunError `disk-full`, `unwritable`, `in-use`, or `duplicate` for an id that is there already */
  async append(records: readonly T[]): Promise<void> {
    if (records.length === 0) return;
    if (this.#data.failure !== null) throw this.#data.failure;
    const ids = new Set<string>();
    for (const { id } of records) {
      if (ids.has(id) || this.#pending.has(id)) throw this.#duplicate(id);
      ids.add(id);
    }
    // Before anything is waited for, so that two appends of one id cannot both find it free.
    for (const id of ids) this.#pending.add(id);
    try {
      for (const id of ids) {
        // Waits only for the rare id whose hash is known: appends must reach the file in the order of their calls.
        const suspect = this.#log.columns.rowsOf(hashOf(id)).length > 0;
        if (suspect && (await this.#log.byId(id)) !== undefined) throw this.#duplicate(id);
      }
      const { kind, paths } = this.#log;
      const bytes = linesOf(records, kind.schema, recordVersion, { path: paths.records });
      await this.#data.append([bytes], this.#rowsOf(records, bytes));
    } finally {
      for (const id of ids) this.#pending.delete(id);
    }
  }

  /** Everything appended is on the device when it resolves. */
  sync(): Promise<void> {
    return this.#data.sync();
  }

  async close(): Promise<void> {
    await this.#data.close();
    await this.#index?.close();
  }

  /** Makes index rows of these records once their lines are in the file. */
  #rowsOf(records: readonly T[], bytes: Buffer): () => void {
    const { tail } = this.#data;
    let start = 0;
    const rows = records.map((record): RecordRow => {
      const line = bytes.subarray(start, bytes.indexOf(10, start));
      const row = { ...this.#log.kind.facts(record), offset: tail + start, length: line.byteLength, crc: crc32(line) };
      start += line.byteLength + 1;
      return row;
    });
    return () => this.#file(rows);
  }

  #file(rows: readonly RecordRow[]): void {
    const { columns } = this.#log;
    const from = columns.count;
    for (const row of rows) columns.push(row);
    const index = this.#index;
    if (index === null) return;
    index.append([columns.encode(from, columns.count)]).then(
      () => {
        this.#log.indexedRows = columns.count;
      },
      (error: unknown) => this.#giveUpIndex(error),
    );
  }

  /** The index is a cache: when it cannot be written the records still can, and readers find the rest by themselves. */
  #giveUpIndex(error: unknown): void {
    if (this.#index === null) return;
    const index = this.#index;
    this.#index = null;
    const { log } = this.#context;
    log.warn(`The index is not kept up to date any more and will be rebuilt later: ${messageOf(error)}`);
    index.close().catch((failed: unknown) => log.warn(`The index cannot be closed: ${messageOf(failed)}`));
  }

  #duplicate(id: string): RunError {
    return new RunError('duplicate', {
      path: this.#log.paths.records,
      what: l10n.t('"{0}" is recorded already, and a record may be there once', id),
      remedy: l10n.t('Ask for what is recorded of an epoch before adding to it.'),
    });
  }
}

/** The index file with every row there is; null when it cannot be written. */
async function openIndex<T extends { id: string; epoch: number }>(
  log: RecordLog<T>,
  { files, log: told }: RunContext,
): Promise<AppendFile | null> {
  const { columns } = log;
  const known = Math.min(log.indexedRows, columns.count);
  try {
    const end = known === 0 ? 0 : (known + 1) * rowBytes;
    const index = await AppendFile.open(files, log.paths.index, end, { durable: false });
    const header = known === 0 ? [headerOf(log.kind.code)] : [];
    await index.append([...header, columns.encode(known, columns.count)]);
    log.indexedRows = columns.count;
    return index;
  } catch (error) {
    told.warn(`Cannot write the index ${log.paths.index}: ${messageOf(error)}`);
    return null;
  }
}
