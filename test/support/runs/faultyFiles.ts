import { nodeFiles, type FileOperations, type WritableFile } from '../../../src/runs/files/fileOperations.ts';

/** A system error as file operations throw it. */
export class SystemError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`${code}: injected`);
    this.code = code;
  }
}

/** The real disk with a fault in it. */
export class FaultyDisk {
  /** Bytes that still fit; writes beyond them are short, then fail. Space given back by cutting files counts again. */
  space = Number.POSITIVE_INFINITY;
  /** Error of writes that do not fit. */
  code = 'ENOSPC';
  /** Files whose every write fails, by the end of their path. */
  readonly refused = new Map<string, string>();
  /** fdatasync fails for files whose path ends so. */
  readonly unsyncable = new Set<string>();
  /** Calls in order: `write journal.jsonl`, `sync journal.jsonl`, … */
  readonly calls: string[] = [];

  readonly files: FileOperations = {
    ...nodeFiles,
    openForWriting: async (path) => this.#wrap(path, await this.#allowed(path, () => nodeFiles.openForWriting(path))),
    createExclusive: (path, contents) => this.#allowed(path, () => nodeFiles.createExclusive(path, contents)),
    replace: (path, contents) => this.#allowed(path, () => nodeFiles.replace(path, contents)),
    makeFolder: (path) => this.#allowed(path, () => nodeFiles.makeFolder(path)),
  };

  async #allowed<T>(path: string, action: () => Promise<T>): Promise<T> {
    for (const [end, code] of this.refused) if (path.endsWith(end)) throw new SystemError(code);
    return action();
  }

  #wrap(path: string, file: WritableFile): WritableFile {
    const name = path.split('/').at(-1) ?? path;
    return {
      size: () => file.size(),
      write: async (bytes, position) => {
        await this.#allowed(path, () => Promise.resolve());
        this.calls.push(`write ${name}`);
        const end = await file.size();
        const grows = Math.max(0, position + bytes.byteLength - end);
        const fits = bytes.byteLength - Math.max(0, grows - this.space);
        if (fits <= 0) throw new SystemError(this.code);
        this.space -= Math.min(grows, this.space);
        return file.write(bytes.subarray(0, fits), position);
      },
      truncate: async (length) => {
        this.space += (await file.size()) - length;
        await file.truncate(length);
      },
      sync: async () => {
        this.calls.push(`sync ${name}`);
        if ([...this.unsyncable].some((end) => path.endsWith(end))) throw new SystemError('EIO');
        await file.sync();
      },
      close: () => file.close(),
    };
  }
}
