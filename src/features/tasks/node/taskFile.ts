/** A task file of the workspace, of any size: its lines are found at once, read by ranges, and rewritten where edited. */
import { readSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { hashOf } from '../../../runs/index/recordRow.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { readError, writeError } from '../../../runs/files/fileErrors.ts';
import type { AddedTask } from './unsaved/conflicts.ts';
import { editedLine, readFileLine, type ReadTask } from './fileLine.ts';
import { hasTwins } from './lineText.ts';
import { findLines, isSameStamp, stampIn, stampOf, type FileStamp, type GrowingPlaces } from './lineFile.ts';
import { statuses } from './taskColumns.ts';
import { TaskFileError } from './taskFileError.ts';
import { TaskTable, type LineForm } from './taskTable.ts';
import type { TaskPart } from './taskValues.ts';
import { codeOf } from '../../../shared/systemError.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

const nothing = hashOf('');
/** Bytes copied at once: few, since copying blocks the thread. */
const copyBytes = 2 ** 20;

export class TaskFile {
  readonly path: string;
  readonly table: TaskTable;
  /** Why people took rows out, by row; known after a scan. */
  readonly excluded = new Map<number, string>();
  /** Rows whose line is no JSON object; known after a scan. */
  readonly damaged = new Set<number>();
  /** Existing edits of a row that is read only now. */
  partOf: (row: number) => TaskPart = () => ({});
  readonly #places: GrowingPlaces;
  #stamp: FileStamp;

  private constructor(path: string, places: GrowingPlaces, stamp: FileStamp) {
    this.path = path;
    this.#places = places;
    this.#stamp = stamp;
    const form: LineForm = {
      read: (text, row) => readFileLine(text, places.line[row] ?? outOfRange()),
      facts: (read, row) => this.#learn(read, row),
    };
    this.table = new TaskTable(path, [], places, form);
    this.table.columns.reserve(places.count);
    const blank = { epoch: 0, origin: 0, rejected: false, id: nothing, family: nothing, seed: nothing };
    for (let row = 0; row < places.count; row++) this.table.columns.push(blank);
  }

  /** Finds the lines, and holds the file from then on. @throws TaskFileError `gone`, RunError `unreadable` */
  static async open(path: string, signal?: AbortSignal): Promise<TaskFile> {
    const stamp = await stampOf(path);
    const file = new TaskFile(path, await findLines(path, signal), stamp);
    await file.table.handle();
    return file;
  }

  /** 1-based line of a row. */
  lineOf(row: number): number {
    return this.#places.line[row] ?? outOfRange();
  }

  /** Whether something else wrote the file since. One that is gone has nothing newer. @throws RunError `unreadable` */
  async isStale(): Promise<boolean> {
    try {
      return !isSameStamp(await stampOf(this.path), this.#stamp);
    } catch (error) {
      if (error instanceof TaskFileError) return false;
      throw error;
    }
  }

  /**
   * Rewrites the lines of these rows and no other byte, in one step. With lines to add, the file must be
   * opened again. A file that something removed is there again.
   * @throws TaskFileError `changed`, `gone`, `unreadable-line`; RunError `disk-full`, `unwritable`
   */
  async save(parts: ReadonlyMap<number, TaskPart>, added: readonly AddedTask[] = []): Promise<void> {
    if (await this.isStale()) throw new TaskFileError('changed', this.path);
    const lines = await this.#rewritten(parts);
    await write(await targetOf(this.path), this.#bytes(await this.#held(), lines, added));
    this.#move(lines);
    for (const [row, line] of lines) {
      const { task, key } = readFileLine(line.toString(), this.lineOf(row));
      if (key !== task.id) this.table.columns.lines.set(row, key);
    }
    this.#stamp = await stampOf(this.path);
    await this.table.reopen(this.path);
    await this.table.handle();
  }

  /** Writes the file as it was read, with these parts changed, to another place. @throws as `save` does */
  async saveTo(path: string, parts: ReadonlyMap<number, TaskPart>, added: readonly AddedTask[] = []): Promise<void> {
    await write(path, this.#bytes(await this.#held(), await this.#rewritten(parts), added));
  }

  /** The descriptor of the file as it was read. @throws TaskFileError `changed` where something wrote into it since */
  async #held(): Promise<number> {
    const handle = await this.table.handle();
    if (!isSameStamp(stampIn(await handle.stat()), this.#stamp)) throw new TaskFileError('changed', this.path);
    return handle.fd;
  }

  async #rewritten(parts: ReadonlyMap<number, TaskPart>): Promise<Map<number, Buffer>> {
    const lines = new Map<number, Buffer>();
    for await (const { row, text } of this.table.texts(parts.keys())) {
      const line = editedLine(text, parts.get(row) ?? {});
      if (hasTwins(text)) throw new TaskFileError('given-twice', this.path, { line: this.lineOf(row) });
      if (line === null) throw new TaskFileError('unreadable-line', this.path, { line: this.lineOf(row) });
      lines.set(row, Buffer.from(line));
    }
    return lines;
  }

  /** The whole file in pieces, rows of `lines` in their new form. */
  *#bytes(handle: number, lines: ReadonlyMap<number, Buffer>, added: readonly AddedTask[]): Generator<Uint8Array> {
    let position = 0;
    const { count } = this.#places;
    const last = added.filter(({ at }) => at >= count).map(({ text }) => text);
    const between = Map.groupBy(
      added.filter(({ at }) => at < count),
      ({ at }) => at,
    );
    for (const row of [...new Set([...lines.keys(), ...between.keys()])].sort((a, b) => a - b)) {
      const offset = this.#places.offset[row] ?? outOfRange();
      yield* copied(handle, position, offset);
      for (const { text } of between.get(row) ?? []) yield Buffer.from(`${text}\n`);
      const line = lines.get(row);
      if (line !== undefined) yield line;
      position = line === undefined ? offset : offset + (this.#places.length[row] ?? outOfRange());
    }
    yield* copied(handle, position, this.#stamp.size);
    if (last.length > 0) yield Buffer.from(`${endsLine(handle, this.#stamp.size) ? '' : '\n'}${last.join('\n')}\n`);
  }

  /** Lines behind rewritten ones stand elsewhere now. */
  #move(lines: ReadonlyMap<number, Buffer>): void {
    const { offset, length, count } = this.#places;
    let shift = 0;
    for (let row = 0; row < count; row++) {
      offset[row] = (offset[row] ?? outOfRange()) + shift;
      const line = lines.get(row);
      if (line === undefined) continue;
      shift += line.byteLength - (length[row] ?? outOfRange());
      length[row] = line.byteLength;
    }
  }

  #learn({ task, excluded, tags, damaged }: ReadTask, row: number): void {
    const { columns } = this.table;
    columns.epoch[row] = task.epoch;
    columns.origin[row] = ['base', 'generated', 'offline', 'validation'].indexOf(task.origin);
    // By its run, whether people excluded it, too, or not.
    const isRejected = task.status === 'rejected' && (excluded === null || task.cause !== undefined);
    const status = damaged !== null ? 'damaged' : isRejected ? 'rejected' : 'accepted';
    columns.recorded[row] = statuses.indexOf(status);
    if (damaged !== null) this.damaged.add(row);
    if (excluded !== null) this.excluded.set(row, excluded);
    const now = { excluded, tags, ...this.partOf(row) };
    columns.mark(row, now.excluded !== null, columns.edited[row] === 1, now.tags);
  }
}

/** The file behind a link, so that the link stays; the path itself where there is nothing. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return path;
    throw readError(error, path);
  }
}

async function write(path: string, bytes: Iterable<Uint8Array>): Promise<void> {
  try {
    await nodeFiles.replace(path, bytes);
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new TaskFileError('gone', path, { cause: error }) : writeError(error, path);
  }
}

function endsLine(handle: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(handle, last, 0, 1, size - 1) === 1 && last[0] === 10);
}

function* copied(handle: number, from: number, to: number): Generator<Uint8Array> {
  for (let position = from; position < to;) {
    const bytes = Buffer.allocUnsafe(Math.min(copyBytes, to - position));
    const read = readSync(handle, bytes, 0, bytes.byteLength, position);
    if (read === 0) return;
    yield bytes.subarray(0, read);
    position += read;
  }
}
