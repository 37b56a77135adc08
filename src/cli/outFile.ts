import { constants, statSync, type BigIntStats } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { refuseOwnFile } from '../runs/files/ownFiles.ts';
import { codeOf } from '../shared/systemError.ts';
import { UsageError } from './usageError.ts';

/** Null where nothing is. */
function statOf(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) !== '') return null;
    throw error;
  }
}

const isFolder = (path: string): boolean => statOf(path)?.isDirectory() ?? false;

/**
 * The file that `--out` names. @param inputs what the command reads, absolute; @throws UsageError when the name cannot
 * be written to or is one of them, RunError when it belongs to a run
 */
export function outFile(cwd: string, out: string, inputs: readonly string[]): string {
  const file = resolve(cwd, out);
  if (isFolder(file)) throw new UsageError(`--out ${out} is a folder.`, 'Give a file in it.');
  if (!isFolder(dirname(file))) {
    throw new UsageError(`--out ${out} lies in a folder that does not exist.`, `Make ${dirname(file)} first.`);
  }
  refuseInputs(file, out, inputs);
  refuseOwnFile(file);
  return file;
}

/** A file to be read, absolute. @param more other kinds that will do; @throws UsageError when it is not there or is refused */
export async function inputFile(cwd: string, name: string, more: 'or folder' | '' = ''): Promise<string> {
  const path = resolve(cwd, name);
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageError(`There is no file ${path}.`, 'Correct the path.');
    if (code !== '') throw new UsageError(`${path} cannot be read (${code}).`, 'Correct the path or its permissions.');
    throw error;
  }
  if (more === '' && isFolder(path)) throw new UsageError(`${path} is a folder.`, 'Give a file in it.');
  return path;
}

/** @throws UsageError when `file` is one of them, through links too */
export function refuseInputs(file: string, out: string, inputs: readonly string[]): void {
  const there = statOf(file);
  if (there === null || !there.isFile()) return;
  for (const input of inputs) {
    const read = statOf(input);
    if (read?.dev === there.dev && read.ino === there.ino)
      throw new UsageError(`--out ${out} is a file that is read: ${input}.`, 'Give another name.');
  }
}
