import * as l10n from '@vscode/l10n';
import type { FileOperations, WritableFile } from './fileOperations.ts';
import { writeError } from './fileErrors.ts';
import { RunError } from '../store/runError.ts';

interface Pending {
  chunks: readonly Uint8Array[];
  committed: (() => void) | undefined;
  resolve: () => void;
  reject: (error: RunError) => void;
}

export interface AppendOptions {
  /** fdatasync after each group of appends, before they resolve. */
  durable: boolean;
  /** Runs before each group is written, to sync data that must reach the device first. Throws to refuse the group. */
  before?: () => Promise<void>;
}

/** Larger groups are split, so that one write never needs a second copy of everything queued. */
const groupBytes = 8 * 2 ** 20;

/**
 * A file that only grows by whole appends, with group commit: requests during a write go out together in one write and
 * one fdatasync. A failed group is cut back to the end of the last whole append; after that every append is refused
 * with the same error, because a later one that succeeded would leave a hole. Reopen to continue.
 */
export class AppendFile {
  readonly path: string;
  readonly #file: WritableFile;
  readonly #options: AppendOptions;
  #end: number;
  #tail: number;
  #queue: Pending[] = [];
  #pump: Promise<void> | null = null;
  #failure: RunError | null = null;
  #unsynced = false;

  private constructor(path: string, file: WritableFile, end: number, options: AppendOptions) {
    this.path = path;
    this.#file = file;
    this.#end = end;
    this.#tail = end;
    this.#options = options;
  }

  /** Opens at `end`, which must be the end of a whole record, and cuts off the rest. */
  static async open(files: FileOperations, path: string, end: number, options: AppendOptions): Promise<AppendFile> {
    try {
      const file = await files.openForWriting(path);
      try {
        if ((await file.size()) > end) {
          await file.truncate(end);
          await file.sync();
        }
        return new AppendFile(path, file, end, options);
      } catch (error) {
        await file.close();
        throw error;
      }
    } catch (error) {
      throw writeError(error, path);
    }
  }

  /** Bytes written for good. */
  get end(): number {
    return this.#end;
  }

  /** Where the next append will start: the end of everything queued. */
  get tail(): number {
    return this.#tail;
  }

  get failure(): RunError | null {
    return this.#failure;
  }

  /**
   * Resolves when the bytes are written (and synced, when durable). `committed` runs in file order, before it resolves.
   * @throws RunError `disk-full`, `unwritable`, `closed`, or the error of `before`
   */
  append(chunks: readonly Uint8Array[], committed?: () => void): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    for (const chunk of chunks) this.#tail += chunk.byteLength;
    return new Promise((resolve, reject) => {
      this.#queue.push({ chunks, committed, resolve, reject });
      this.#pump ??= this.#run();
    });
  }

  /** Resolves when earlier appends are on the device. */
  async sync(): Promise<void> {
    await this.#pump;
    if (this.#failure !== null) throw this.#failure;
    if (!this.#unsynced) return;
    this.#unsynced = false;
    try {
      await this.#file.sync();
    } catch (error) {
      throw this.#fail(writeError(error, this.path));
    }
  }

  /** Lets queued appends finish, puts them on the device, and closes. Does not repeat a reported error. */
  async close(): Promise<void> {
    try {
      await this.#pump;
      if (this.#failure === null) await this.sync();
    } finally {
      this.#failure ??= new RunError('closed', {
        path: this.path,
        what: l10n.t('it was closed'),
        remedy: l10n.t('Open the run again.'),
      });
      await this.#file.close();
    }
  }

  async #run(): Promise<void> {
    // A turn of the event loop, so that appends made in the same turn share the first group.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const group = this.#takeGroup();
      try {
        await this.#options.before?.();
        await this.#write(group);
      } catch (error) {
        const failure = this.#fail(writeError(error, this.path));
        for (const pending of group) pending.reject(failure);
        for (const pending of this.#queue.splice(0)) pending.reject(failure);
        break;
      }
      for (const pending of group) {
        pending.committed?.();
        pending.resolve();
      }
    }
    this.#pump = null;
  }

  #takeGroup(): Pending[] {
    let bytes = 0;
    let taken = 0;
    for (const { chunks } of this.#queue) {
      for (const chunk of chunks) bytes += chunk.byteLength;
      taken += 1;
      if (bytes >= groupBytes) break;
    }
    return this.#queue.splice(0, taken);
  }

  async #write(group: readonly Pending[]): Promise<void> {
    const chunks = group.flatMap((pending) => pending.chunks);
    const [first] = chunks;
    const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    try {
      let written = 0;
      while (written < bytes.byteLength) {
        const count = await this.#file.write(bytes.subarray(written), this.#end + written);
        if (count === 0) throw new Error(l10n.t('the system wrote nothing and gave no reason'));
        written += count;
      }
      if (this.#options.durable) await this.#file.sync();
      else this.#unsynced = true;
    } catch (error) {
      await this.#cutBack(error);
      throw error;
    }
    this.#end += bytes.byteLength;
  }

  /** A reader ignores a torn tail, so a cut that fails too loses nothing; both errors are reported. */
  async #cutBack(cause: unknown): Promise<void> {
    try {
      await this.#file.truncate(this.#end);
    } catch (error) {
      throw writeError(
        new AggregateError(
          [cause, error],
          l10n.t('{0}; nor can the partial write be cut: {1}', String(cause), String(error)),
        ),
        this.path,
      );
    }
  }

  #fail(error: RunError): RunError {
    this.#failure ??= error;
    this.#tail = this.#end;
    return this.#failure;
  }
}
