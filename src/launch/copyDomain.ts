/** A domain that ships as files of a person's own, to be read and edited. */
import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedFiles } from '../shared/experiment/shippedDomains.ts';

/** Names of the domains that are domain files. */
export const copiedDomains: readonly string[] = Object.keys(shippedFiles);

/** Names of the files of one of `copiedDomains`, the domain file first. */
export const copiedFiles = (name: string): readonly string[] =>
  Object.entries(shippedFiles).find(([domain]) => domain === name)?.[1] ?? [];

/**
 * Writes the files; what is there already stays.
 * @param name one of `copiedDomains`. @returns their paths, the domain file first. @throws a system error, EEXIST among them
 */
export async function copyDomain(name: string, folder: string, dist: URL): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const file of copiedFiles(name)) {
    const path = join(folder, file);
    await copyFile(fileURLToPath(new URL(`domains/${file}`, dist)), path, constants.COPYFILE_EXCL);
    paths.push(path);
  }
  return paths;
}
