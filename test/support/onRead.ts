/** Something that happens at the worst moment: when another process would have acted between two readings. */
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Does `work`; just before its `reading`th reading (from 1) of the whole file, `first` happens. */
export async function onRead<T>(
  path: string,
  reading: number,
  work: () => Promise<T>,
  first: () => Promise<void>,
): Promise<T> {
  const { readFile } = promises;
  let count = 0;
  const read = async (...given: Parameters<typeof readFile>): ReturnType<typeof readFile> => {
    if (given[0] === path) count += 1;
    if (given[0] === path && count === reading) await first();
    return readFile(...given);
  };
  Object.defineProperty(promises, 'readFile', { value: read, configurable: true, writable: true });
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.defineProperty(promises, 'readFile', { value: readFile, configurable: true, writable: true });
    syncBuiltinESMExports();
  }
}
