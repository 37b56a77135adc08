/** New verdicts of a run's attempts on their way: a file outside the run until a person applies them. */
import { rmSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Rescored } from '../../shared/records/rescored.ts';
import { rescoredSchema } from '../../shared/records/rescored.ts';
import { writeError } from '../files/fileErrors.ts';
import { RecordColumns } from '../index/recordColumns.ts';
import { recordVersion } from '../index/recordKind.ts';
import { linesOf } from '../files/linesOf.ts';
import { fillFrom } from '../files/openToRead.ts';
import { parseJson, validate } from '../files/parseLine.ts';
import { rescoredKind } from './rescoredKind.ts';

/** The place of a verdict's line, in bytes, without its newline. */
export interface LinePlace {
  offset: number;
  length: number;
}

/** Lines wait for each other up to so many bytes. */
const together = 2 ** 20;

export class RescoreDraft {
  readonly file: string;
  readonly #dir: string;
  readonly #handle: FileHandle;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #size = 0;
  /** Index of its lines. */
  readonly columns = new RecordColumns();
  /** First and last epoch of them; [0, 0] without any. */
  epochs = { first: 0, last: 0 };

  private constructor(dir: string, file: string, handle: FileHandle) {
    this.#dir = dir;
    this.file = file;
    this.#handle = handle;
  }

  /** @throws RunError `disk-full`, `unwritable` */
  static async create(): Promise<RescoreDraft> {
    try {
      const dir = await mkdtemp(join(tmpdir(), 'genenv-rescore-'));
      const file = join(dir, 'verdicts.jsonl');
      return new RescoreDraft(dir, file, await open(file, 'w+'));
    } catch (error) {
      throw writeError(error, tmpdir());
    }
  }

  /** One at a time. @throws RunError `disk-full`, `unwritable` */
  async add(rescored: Rescored): Promise<LinePlace> {
    const line = linesOf([rescored], rescoredSchema, recordVersion, { path: this.file });
    const place = { offset: this.#size + this.#waitingBytes, length: line.byteLength - 1 };
    this.#waiting.push(line);
    this.#waitingBytes += line.byteLength;
    const { first, last } = this.count === 0 ? { first: Infinity, last: 0 } : this.epochs;
    this.epochs = { first: Math.min(first, rescored.epoch), last: Math.max(last, rescored.epoch) };
    this.columns.push({ ...rescoredKind.facts(rescored), ...place, crc: crc32(line.subarray(0, -1)) });
    if (this.#waitingBytes >= together) await this.flush();
    return place;
  }

  /** Verdicts so far. */
  get count(): number {
    return this.columns.count;
  }

  /** Everything that was added is in the file. @throws RunError `disk-full`, `unwritable` */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    try {
      for (let done = 0; done < bytes.byteLength;) {
        const { bytesWritten } = await this.#handle.write(bytes, done, bytes.byteLength - done, this.#size + done);
        done += bytesWritten;
      }
    } catch (error) {
      throw writeError(error, this.file);
    }
    this.#size += bytes.byteLength;
  }

  /** A verdict that was flushed. @throws RunError `format`, `unreadable` */
  async at({ offset, length }: LinePlace): Promise<Rescored> {
    const bytes = Buffer.allocUnsafe(length);
    await fillFrom(this.#handle, bytes, offset, this.file);
    const place = { path: this.file };
    return validate(parseJson(bytes.toString(), place), rescoredSchema, recordVersion, place);
  }

  /** The file is gone. */
  async dispose(): Promise<void> {
    // At once: a window that closes gives no time, and this may be large.
    rmSync(this.file, { force: true });
    await this.#handle.close();
    await rm(this.#dir, { recursive: true, force: true });
  }
}
