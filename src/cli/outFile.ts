import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { codeOf } from '../shared/systemError.ts';
import { UsageError } from './usageError.ts';

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (codeOf(error) !== '') return false;
    throw error;
  }
};

/** The file that `--out` names. @throws UsageError when it could not be written for what was typed */
export function outFile(cwd: string, out: string): string {
  const file = resolve(cwd, out);
  if (isFolder(file)) throw new UsageError(`--out ${out} is a folder.`, 'Give a file in it.');
  if (!isFolder(dirname(file))) {
    throw new UsageError(`--out ${out} lies in a folder that does not exist.`, `Make ${dirname(file)} first.`);
  }
  return file;
}
