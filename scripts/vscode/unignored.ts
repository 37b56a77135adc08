/**
 * The files that `.vscodeignore` leaves, by vsce's own rules. It compares every file of a folder with every line, so it is
 * shown the parts of the project that a line lets in: with an editor and Python packages below the project, half a minute.
 */
import { copyFile, mkdtemp, readFile, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { PackageManager, listFiles } from '@vscode/vsce';

const ignoreFile = '.vscodeignore';

/** @throws Error where the file does not begin by ignoring everything: a part that no line lets in might then be packaged */
export async function unignored(folder: string): Promise<string[]> {
  const [everything, ...lines] = (await readFile(join(folder, ignoreFile), 'utf8')).trim().split('\n');
  const letIn = lines.filter((line) => line.startsWith('!'));
  if (everything !== '**' || letIn.length < lines.length)
    throw new Error(
      `${ignoreFile} has to begin with ** and to say then what is packaged, each line with a ! before it.`,
    );
  const parts = letIn.map((line) => line.slice(1).split('/', 1).join());
  const shown = await mkdtemp(join(tmpdir(), 'genenv-packaged-'));
  try {
    await copyFile(join(folder, ignoreFile), join(shown, ignoreFile));
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (!parts.some((part) => matchesGlob(entry.name, part))) continue;
      const [from, to] = [join(folder, entry.name), join(shown, entry.name)];
      await (entry.isDirectory() ? symlink(from, to, 'junction') : copyFile(from, to));
    }
    // vsce's types leave followSymlinks out. Without it, nothing below a folder would be listed, which fails the packaging.
    const options = { cwd: shown, packageManager: PackageManager.None, followSymlinks: true };
    return await listFiles(options);
  } finally {
    await rm(shown, { recursive: true });
  }
}
