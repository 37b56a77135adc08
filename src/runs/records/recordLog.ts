import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { parseOrUndefined } from '../../shared/json.ts';
import { Breather } from '../files/breather.ts';
import { changedRecords } from '../files/fileErrors.ts';
import { readIndex } from '../index/indexFile.ts';
import { RecordColumns } from '../index/recordColumns.ts';
import { recordVersion, type RecordKind } from '../index/recordKind.ts';
import { hashOf } from '../index/recordRow.ts';
import { lineBatches, type Line } from '../files/jsonLines.ts';
import { fileAt, fillFrom, openToRead } from '../files/openToRead.ts';
import { parseJson, validate } from '../files/parseLine.ts';
import { RunError } from '../store/runError.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import { InTurn } from '../../shared/inTurn.ts';

/** How far the rebuilding of an index has come, in bytes of the record file. */
export interface IndexProgress {
  file: string;
  done: number;
  total: number;
}

export interface RecordPaths {
  /** `traces.jsonl` */
  records: string;
  /** `index/traces.bin` */
  index: string;
}

/** Lines next to each other are read together, up to this many bytes. */
const rangeBytes = 4 * 2 ** 20;

/**
 * One file of records, read by ranges through its index. Records missing from the index (a writer is ahead, or the
 * index is missing, stale or damaged) are read from the file itself.
 */
export class RecordLog<T extends { id: string; epoch: number }> {
  readonly kind: RecordKind<T>;
  readonly paths: RecordPaths;
  readonly columns = new RecordColumns();
  /** Rows that the index file holds, as far as is known. */
  indexedRows = 0;
  /** Whether rows come from a writer in this process, which knows more than the file shows. */
  written = false;
  onProgress: ((progress: IndexProgress) => void) | undefined;
  #handle: FileHandle | null = null;
  #opening: Promise<FileHandle | null> | null = null;
  /** Files that another one has replaced: reads under way may still use them. */
  readonly #replaced: FileHandle[] = [];
  readonly #inTurn = new InTurn();
  /** Reads under way: the last one to end after `close` closes the file. */
  readonly #reads = new Set<Promise<unknown>>();
  #closed = false;
  #ignoreIndex = false;
  /** Modification time of the file at the last refresh. */
  #changedAt = 0;
  #duplicate: RunError | null = null;

  constructor(kind: RecordKind<T>, paths: RecordPaths) {
    this.kind = kind;
    this.paths = paths;
  }

  /**
   * Indexes records appended since the last call.
   * @throws RunError `format` for an invalid record or a repeated id; `version`; `unreadable`
   */
  refresh(): Promise<void> {
    return this.#reading(this.#inTurn.run(() => this.#refresh()));
  }

  /** Every record of an epoch, or those whose flags fit, in the order written, as far as the last refresh saw. */
  ofEpoch(epoch: number, fits: (flags: number) => boolean = () => true): Promise<T[]> {
    return this.#read(() => {
      const { count, epoch: epochs, flags } = this.columns;
      const rows: number[] = [];
      for (let row = 0; row < count; row++)
        if (epochs[row] === epoch && fits(flags[row] ?? outOfRange())) rows.push(row);
      return rows;
    });
  }

  /** The records of an epoch that belong to a task (traces: attempts at it), in the order written. */
  async ofTask(task: string, epoch: number): Promise<T[]> {
    const { low, high } = hashOf(task);
    return this.#read(() => {
      const { count, epoch: epochs, taskLow, taskHigh } = this.columns;
      const rows: number[] = [];
      for (let row = 0; row < count; row++) {
        if (taskLow[row] === low && taskHigh[row] === high && epochs[row] === epoch) rows.push(row);
      }
      return rows;
    });
  }

  /** The epochs with records that belong to a task, in ascending order. */
  epochsOfTask(task: string): number[] {
    const { low, high } = hashOf(task);
    const { count, epoch: epochs, taskLow, taskHigh } = this.columns;
    const found = new Set<number>();
    for (let row = 0; row < count; row++) {
      if (taskLow[row] === low && taskHigh[row] === high) found.add(epochs[row] ?? outOfRange());
    }
    return [...found].sort((a, b) => a - b);
  }

  async byId(id: string): Promise<T | undefined> {
    const records = await this.#read(() => this.columns.rowsOf(hashOf(id)));
    return records.find((record) => record.id === id);
  }

  /** Records of rows next to each other, up to the last there is. */
  range(from: number, to: number): Promise<T[]> {
    const last = Math.min(to, this.columns.count);
    return this.#read(() => Array.from({ length: Math.max(0, last - from) }, (_, i) => from + i));
  }

  /** The record of a row, or undefined beyond the last. */
  async at(row: number): Promise<T | undefined> {
    const [record] = await this.#read(() => (row < this.columns.count ? [row] : []));
    return record;
  }

  /** The records of the chosen rows, in ascending order; chooses again when the file no longer matches its index. */
  #read(choose: () => readonly number[]): Promise<T[]> {
    return this.#reading(this.#chosen(choose));
  }

  async #chosen(choose: () => readonly number[]): Promise<T[]> {
    const records = await this.#readRows(choose());
    if (records !== null) return records;
    if (this.written) throw changedRecords(this.paths.records);
    this.columns.clear();
    this.indexedRows = 0;
    this.#ignoreIndex = true;
    await this.refresh();
    const again = await this.#readRows(choose());
    if (again === null) throw changedRecords(this.paths.records);
    return again;
  }

  /** Every record from the first to the last whole line, in the order written, one chunk in memory at a time. */
  async *stream(): AsyncGenerator<T> {
    for await (const batch of this.lines({ offset: 0, number: 0 })) {
      for (const { line, value } of batch) {
        yield validate(value, this.kind.schema, recordVersion, this.#place(line.number));
      }
    }
  }

  /** Whole lines with their JSON; skips a last line that is not JSON, which a crashed writer left. */
  async *lines(from: { offset: number; number: number }): AsyncGenerator<{ line: Line; value: unknown }[]> {
    let torn: Line | null = null;
    for await (const batch of lineBatches(this.paths.records, from)) {
      const parsed: { line: Line; value: unknown }[] = [];
      for (const line of batch) {
        if (torn !== null) parseJson(torn.bytes.toString(), this.#place(torn.number));
        const value = parseOrUndefined(line.bytes.toString());
        if (value === undefined) torn = line;
        else parsed.push({ line, value });
      }
      yield parsed;
    }
  }

  /** Waits for reads under way, which may be opening the file. A later read opens it for itself alone. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#reads.size > 0) await Promise.allSettled(this.#reads);
    await this.#release();
  }

  async #reading<R>(read: Promise<R>): Promise<R> {
    this.#reads.add(read);
    try {
      return await read;
    } finally {
      this.#reads.delete(read);
      if (this.#reads.size === 0) {
        for (const handle of this.#replaced.splice(0)) await handle.close();
        if (this.#closed) await this.#release();
      }
    }
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async #refresh(): Promise<void> {
    if (!this.written) {
      const { size, changed } = await this.#stat();
      // A power cut can take records back that were seen, and a later writer put others in their place.
      if (size < this.columns.end || (changed !== this.#changedAt && !(await this.#holdsLastRow()))) {
        this.columns.clear();
        this.indexedRows = 0;
      }
      this.#changedAt = changed;
      if (size > this.columns.end) {
        await this.#readIndex(size);
        if (size > this.columns.end) await this.#scan(size);
      }
    }
    await this.#checkDuplicates();
    if (this.#duplicate !== null) throw this.#duplicate;
  }

  async #readIndex(size: number): Promise<void> {
    if (this.#ignoreIndex) return;
    const { goodRows } = await readIndex(this.paths.index, this.kind.code, this.columns, size);
    this.indexedRows = goodRows;
    if (await this.#holdsLastRow()) return;
    // It was made from other records.
    this.columns.clear();
    this.indexedRows = 0;
  }

  /** Programs that sync folders put a new file in the place of the one that is open. */
  async #stat(): Promise<{ size: number; changed: number }> {
    const handle = await this.#open();
    let stats = await handle?.stat();
    const file = handle === null ? null : await fileAt(this.paths.records);
    if (handle !== null && file !== null && file !== stats?.ino) {
      this.#replaced.push(handle);
      this.#handle = null;
      stats = await (await this.#open())?.stat();
    }
    return { size: stats?.size ?? 0, changed: stats?.mtimeMs ?? 0 };
  }

  /** Whether the file still matches the rows, judged by the last one. */
  async #holdsLastRow(): Promise<boolean> {
    const { columns } = this;
    if (columns.count === 0) return true;
    const handle = await this.#open();
    if (handle === null) return false;
    const row = columns.count - 1;
    const line = Buffer.allocUnsafe(columns.length[row] ?? outOfRange());
    const read = await fillFrom(handle, line, columns.offset[row] ?? outOfRange(), this.paths.records);
    return read === line.byteLength && crc32(line) === columns.crc[row];
  }

  async #scan(size: number): Promise<void> {
    const { columns, kind } = this;
    for await (const batch of this.lines({ offset: columns.end, number: columns.count })) {
      for (const { line, value } of batch) {
        const facts = validate(value, kind.outline, recordVersion, this.#place(line.number));
        columns.push({ ...facts, offset: line.offset, length: line.bytes.byteLength, crc: crc32(line.bytes) });
      }
      this.onProgress?.({ file: this.paths.records, done: columns.end, total: size });
    }
  }

  async #checkDuplicates(): Promise<void> {
    for (const { row, earlier } of this.columns.suspects.splice(0)) {
      const pair = await this.#readRows([earlier, row]);
      const [first, second] = pair ?? [];
      if (first === undefined || second === undefined || first.id !== second.id) continue;
      this.#duplicate = new RunError('format', {
        ...this.#place(row),
        field: 'id',
        what: l10n.t('"{0}" is already in line {1}: each record may be there once', second.id, earlier + 1),
        remedy: l10n.t('Remove one of the two lines, or restore the file from a copy; nothing was changed.'),
      });
      return;
    }
  }

  /** Null when the file does not match the index. */
  async #readRows(rows: readonly number[]): Promise<T[] | null> {
    const { columns } = this;
    const records: T[] = [];
    const breather = new Breather();
    const handle = rows.length === 0 ? null : await this.#open();
    if (handle === null) return rows.length === 0 ? [] : null;
    for (let at = 0; at < rows.length;) {
      const first = rows[at] ?? outOfRange();
      const start = columns.offset[first] ?? outOfRange();
      let last = first;
      let next = at + 1;
      while (rows[next] === last + 1 && columns.endOf(last + 1) - start <= rangeBytes) {
        last += 1;
        next += 1;
      }
      const bytes = Buffer.allocUnsafe(columns.endOf(last) - start);
      if ((await fillFrom(handle, bytes, start, this.paths.records)) < bytes.byteLength) return null;
      for (let row = first; row <= last; row++) {
        await breather.breathe();
        const from = (columns.offset[row] ?? outOfRange()) - start;
        const line = bytes.subarray(from, from + (columns.length[row] ?? outOfRange()));
        if (bytes[from + line.byteLength] !== 10 || crc32(line) !== columns.crc[row]) return null;
        const place = this.#place(row);
        records.push(validate(parseJson(line.toString(), place), this.kind.schema, recordVersion, place));
      }
      at = next;
    }
    return records;
  }

  async #open(): Promise<FileHandle | null> {
    if (this.#handle !== null) return this.#handle;
    this.#opening ??= openToRead(this.paths.records);
    try {
      this.#handle = await this.#opening;
    } finally {
      this.#opening = null;
    }
    return this.#handle;
  }

  #place(row: number): { path: string; line: number } {
    return { path: this.paths.records, line: row + 1 };
  }
}
