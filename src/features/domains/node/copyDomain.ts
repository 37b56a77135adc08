/** A domain that ships as files of a person's own, to be read and edited. */
import { constants } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../../../shared/systemError.ts';
import { shippedFiles } from '../../../shared/experiment/tasks/shippedDomains.ts';

/** Names of the domains that are domain files. */
export const copiedDomains: readonly string[] = Object.keys(shippedFiles);

/** Names of the files of one of `copiedDomains`, the domain file first. */
export const copiedFiles = (name: string): readonly string[] =>
  Object.entries(shippedFiles).find(([domain]) => domain === name)?.[1] ?? [];

/**
 * Writes the files; existing files stay, which is no error where a file beside the domain file has the same text.
 * @param name one of `copiedDomains`. @returns their paths, the domain file first. @throws a system error, EEXIST among
 * them
 */
export async function copyDomain(name: string, folder: string, dist: URL): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const [main = '', ...beside] = copiedFiles(name);
  // The domain file comes last: it is of no use without its imports.
  for (const file of [...beside, main]) {
    const from = fileURLToPath(new URL(`domains/${file}`, dist));
    const to = join(folder, file);
    try {
      await copyFile(from, to, constants.COPYFILE_EXCL);
    } catch (error) {
      if (file === main || codeOf(error) !== 'EEXIST') throw error;
      if (!(await readFile(to)).equals(await readFile(from))) throw error;
    }
  }
  return [main, ...beside].map((file) => join(folder, file));
}
