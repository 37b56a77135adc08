/** A domain that ships as files of a person's own, to be read and edited. */
import { constants } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedFiles } from '../shared/experiment/shippedDomains.ts';

/** Names of the domains that are domain files. */
export const copiedDomains: readonly string[] = Object.keys(shippedFiles);

/**
 * Writes the files; what is there already stays.
 * @param name one of `copiedDomains`. @returns their paths, the domain file first. @throws a system error, EEXIST among them
 */
export async function copyDomain(name: string, folder: string, dist: URL): Promise<string[]> {
  const files = Object.entries(shippedFiles).find(([domain]) => domain === name)?.[1] ?? [];
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const file of files) {
    const path = join(folder, file);
    await copyFile(fileURLToPath(new URL(`domains/${file}`, dist)), path, constants.COPYFILE_EXCL);
    paths.push(path);
  }
  return paths;
}
