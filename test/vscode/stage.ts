/**
 * The extension under development, copied to where nothing else is. VS Code takes every theme below a development
 * extension's folder for one under development and shows it, and the host's own extensions lie below this project. A
 * build in mid-test does no harm either.
 */
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const parts = ['package.json', 'dist', 'media', 'syntaxes', 'l10n', 'demo', 'docs'];

let staged: Promise<string> | undefined;

/** @returns a temporary folder, the same for every editor of this process: thousands of files are copied once */
export function stageExtension(): Promise<string> {
  staged ??= stage();
  return staged;
}

async function stage(): Promise<string> {
  if (!existsSync(join(project, 'dist', 'extension.cjs'))) throw new Error('Build first: node scripts/build.mjs');
  const folder = await mkdtemp(join(tmpdir(), 'genenv-extension-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const texts = (await readdir(project)).filter((name) => /^package\.nls\..*json$/.test(name));
  for (const part of [...parts, ...texts]) await cp(join(project, part), join(folder, part), { recursive: true });
  return folder;
}
