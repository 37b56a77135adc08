/** Words of a command that name files beside the domain file. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';

/** The path beside the domain file that a word names; null where it names nothing there. */
export function besideDomain(folder: string, word: string): string | null {
  if (word.startsWith('-') || isAbsolute(word)) return null;
  const path = resolve(folder, word);
  const within = relative(folder, path);
  if (within === '' || within.startsWith('..') || isAbsolute(within)) return null;
  return existsSync(path) ? path : null;
}

/** An attempt has its own folder, so paths into the domain's folder are made absolute. */
export const wholePaths = (folder: string, command: readonly string[]): string[] =>
  command.map((word) => besideDomain(folder, word) ?? word);

/** The files of the domain's folder that a program needs. */
export const neededPaths = (
  folder: string,
  { command, files }: { command: readonly string[]; files: readonly string[] },
) => [...command.flatMap((word) => besideDomain(folder, word) ?? []), ...files.map((file) => join(folder, file))];
