/** Counts reads of files below a folder, in this process, unnoticed. */
import fs from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface FileReads {
  /** Bytes by file name relative to the folder; names that were only asked for hold 0. */
  readonly bytes: ReadonlyMap<string, number>;
  restore(): void;
}

/** Code bundled as CommonJS asks `node:fs/promises` for its functions at each call, so what is put there is used. */
export function watchReads(folder: string): FileReads {
  const bytes = new Map<string, number>();
  const { open, readFile } = fs;
  const nameOf = (path: unknown): string | null => {
    const file = path instanceof URL ? fileURLToPath(path) : String(path);
    return file.startsWith(folder) ? relative(folder, file) : null;
  };
  const count = (name: string, more: number): unknown => bytes.set(name, (bytes.get(name) ?? 0) + more);
  Reflect.set(fs, 'readFile', async (...args: Parameters<typeof readFile>) => {
    const content = await readFile(...args);
    const name = nameOf(args[0]);
    if (name !== null) count(name, Buffer.byteLength(content));
    return content;
  });
  Reflect.set(fs, 'open', async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    const name = nameOf(args[0]);
    if (name === null) return handle;
    count(name, 0);
    const read = handle.read.bind(handle);
    Reflect.set(handle, 'read', async (...how: Parameters<typeof read>) => {
      const result = await read(...how);
      count(name, result.bytesRead);
      return result;
    });
    return handle;
  });
  return {
    bytes,
    restore: () => {
      Reflect.set(fs, 'open', open);
      Reflect.set(fs, 'readFile', readFile);
    },
  };
}
