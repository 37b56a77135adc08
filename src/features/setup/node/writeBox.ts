/** Writes the files of a GPU machine: all of them, or none where one is there already. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { SetupError, type BoxFile } from '../contract.ts';

/** @returns the paths. @throws SetupError, or the disk's error */
export async function writeBox(folder: string, files: readonly BoxFile[]): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const there = new Set(await readdir(folder));
  const taken = files.filter(({ path }) => there.has(path)).map(({ path }) => path);
  if (taken.length > 0)
    throw new SetupError(
      l10n.t('{0} has {1} already; nothing was written.', folder, taken.join(', ')),
      l10n.t('Name another folder.'),
    );
  const paths = [];
  for (const { path, text, executable } of files) {
    await writeFile(join(folder, path), text, { flag: 'wx', mode: executable ? 0o755 : 0o644 });
    paths.push(join(folder, path));
  }
  return paths;
}
