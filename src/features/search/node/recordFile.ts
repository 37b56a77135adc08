/**
 * The rows of one file of records, the newest first, and its bytes by ranges: enough for a search, with little memory.
 */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { IndexRows } from '../../../runs/index/indexRows.ts';
import { persistIndex } from '../../../runs/index/persistIndex.ts';
import { RecordColumns } from '../../../runs/index/recordColumns.ts';
import { recordVersion, type RecordKind } from '../../../runs/index/recordKind.ts';
import { isHeader, rowBytes } from '../../../runs/index/recordRow.ts';
import { liveHolder } from '../../../runs/lease/leaseFile.ts';
import { fillFrom, openToRead } from '../../../runs/files/openToRead.ts';
import { validate } from '../../../runs/files/parseLine.ts';
import { RecordLog, type RecordPaths } from '../../../runs/records/recordLog.ts';
import type { RunContext } from '../../../runs/store/runContext.ts';

/** Rows that are read and looked at together. A text block never reaches over a multiple of it. */
export const chunkRows = 4096;
/** Rows of the index read together: every read waits for its turn among all that a busy machine does. */
const heldRows = 2 * chunkRows;
/** More than this beyond the index is worth a better index. */
const longTailBytes = 16 * 2 ** 20;
/** As `RunReader` has it: fewer rows are found anew each time. */
const keptRows = 1000;

export class RecordFile<T extends { id: string; epoch: number }> {
  readonly kind: RecordKind<T>;
  readonly paths: RecordPaths;
  readonly #lease: string;
  readonly #context: RunContext;
  #records: FileHandle | null = null;
  #index: FileHandle | null = null;
  /** Of the index: read into again and again. */
  readonly #held = Buffer.allocUnsafeSlow(heldRows * rowBytes);
  /** The rows in the buffer. */
  #heldFrom = 0;
  #heldTo = 0;
  /** Rows of the index file that are used. */
  #indexed = 0;
  /** Rows after them. */
  #rest = new RecordColumns();

  private constructor(kind: RecordKind<T>, paths: RecordPaths, lease: string, context: RunContext) {
    this.kind = kind;
    this.paths = paths;
    this.#lease = lease;
    this.#context = context;
  }

  /**
   * The file in its current state; later appends are not seen.
   * @param lease the run's: its holder maintains the index
   * @throws RunError as `RecordLog.refresh` does
   */
  static async open<T extends { id: string; epoch: number }>(
    kind: RecordKind<T>,
    paths: RecordPaths,
    lease: string,
    context: RunContext,
  ): Promise<RecordFile<T>> {
    const file = new RecordFile(kind, paths, lease, context);
    try {
      await file.#start();
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get count(): number {
    return this.#indexed + this.#rest.count;
  }

  /**
   * At most `chunkRows` rows [from, to), complete and in order, valid until the next call. Rebuilds a damaged index on
   * the way. @throws RunError
   */
  async rows(from: number, to: number): Promise<IndexRows> {
    if (to <= this.#indexed) {
      const rows = await this.#rowsOfIndex(from, to);
      if (rows?.sound === true) return rows;
      await this.#rebuild();
    }
    if (from >= this.#indexed) return new IndexRows(from, this.#rest.encode(from - this.#indexed, to - this.#indexed));
    const border = this.#indexed;
    const before = await this.rows(from, border);
    // Not `Buffer.concat`, whose result may begin anywhere in a pool.
    const bytes = new Uint8Array((to - from) * rowBytes);
    bytes.set(before.bytes);
    bytes.set((await this.rows(border, to)).bytes, before.bytes.byteLength);
    return new IndexRows(from, bytes);
  }

  /** Null where the file does not have them. */
  async #rowsOfIndex(from: number, to: number): Promise<IndexRows | null> {
    if (from < this.#heldFrom || to > this.#heldTo) {
      if (this.#index === null) return null;
      const first = from - (from % heldRows);
      const count = Math.min(this.#indexed - first, heldRows);
      const bytes = this.#held.subarray(0, count * rowBytes);
      this.#heldTo = 0;
      const read = await fillFrom(this.#index, bytes, (first + 1) * rowBytes, this.paths.index);
      this.#heldFrom = first;
      this.#heldTo = first + Math.floor(read / rowBytes);
    }
    if (to > this.#heldTo) return null;
    const place = (row: number): number => (row - this.#heldFrom) * rowBytes;
    return new IndexRows(from, this.#held.subarray(place(from), place(to)));
  }

  /** Bytes of the records from `start` up to `end`; fewer when the file was cut. @throws RunError `unreadable` */
  async bytes(start: number, end: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(end - start);
    const read = this.#records === null ? 0 : await fillFrom(this.#records, bytes, start, this.paths.records);
    return bytes.subarray(0, read);
  }

  async close(): Promise<void> {
    const [records, index] = [this.#records, this.#index];
    this.#records = null;
    this.#index = null;
    await Promise.all([records?.close(), index?.close()]);
  }

  async #start(): Promise<void> {
    this.#records = await openToRead(this.paths.records);
    if (this.#records === null) return;
    const { size } = await this.#records.stat();
    const end = await this.#startOfRest(size);
    if (end === null || size - end > longTailBytes) await this.#rebuild();
    else await this.#readRest(end);
  }

  /** First byte after the index's rows; null when it is unusable. */
  async #startOfRest(size: number): Promise<number | null> {
    this.#index = await openToRead(this.paths.index);
    if (this.#index === null) return size > longTailBytes ? null : 0;
    const header = Buffer.alloc(rowBytes);
    await fillFrom(this.#index, header, 0, this.paths.index);
    if (!isHeader(header, this.kind.code)) return null;
    const count = Math.floor((await this.#index.stat()).size / rowBytes) - 1;
    if (count <= 0) return 0;
    const last = Buffer.alloc(rowBytes);
    await fillFrom(this.#index, last, count * rowBytes, this.paths.index);
    const row = new IndexRows(count - 1, last);
    if (!row.sound || row.end(0) > size) return null;
    const line = await this.bytes(row.offset(0), row.end(0) - 1);
    if (crc32(line) !== row.crc(0)) return null;
    this.#indexed = count;
    return row.end(0);
  }

  /** Records that are written but not indexed yet. */
  async #readRest(offset: number): Promise<void> {
    const { kind, paths } = this;
    const columns = this.#rest;
    for await (const batch of new RecordLog(kind, paths).lines({ offset, number: this.#indexed })) {
      for (const { line, value } of batch) {
        const place = { path: paths.records, line: line.number + 1 };
        const facts = validate(value, kind.outline, recordVersion, place);
        columns.push({ ...facts, offset: line.offset, length: line.bytes.byteLength, crc: crc32(line.bytes) });
      }
    }
  }

  /** From the records alone, and keeps it for the next, as a reader of the run would. */
  async #rebuild(): Promise<void> {
    const log = new RecordLog(this.kind, this.paths);
    log.onProgress = this.#context.onIndexing;
    try {
      await log.refresh();
      this.#indexed = 0;
      this.#rest = log.columns;
      if (log.columns.count - log.indexedRows < keptRows) return;
      if ((await liveHolder(this.#lease, this.#context.clock)) === null) await persistIndex(log, this.#context);
    } finally {
      await log.close();
    }
  }
}
