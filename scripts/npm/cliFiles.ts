/** The files of the command line's package, apart from its manifest and page. */
import { readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { docPages, studyPages } from '../docPages.ts';

/** Files and folders of the repository, at the same place in the package. Folders are taken with the named endings. */
const folders: Readonly<Record<string, RegExp>> = {
  'dist/cli': /\.cjs$/,
  'dist/workers': /\.js$/,
  'dist/domains': /\.(?:ts|py)$/,
  'dist/weights': /\.bin$/,
  'media/adapters': /\.adapter\.json$/,
  // Types for rewards, domains and curricula of a person's own, and schemas for any editor.
  'media/rewards': /\.(?:ts|pyi)$/,
  'media/domains': /\.(?:ts|pyi)$/,
  'media/curricula': /\.(?:ts|pyi)$/,
  'media/schemas': /\.json$/,
};

const files = [
  'LICENSE',
  'CHANGELOG.md',
  'dist/cli.js',
  ...['embedded', 'parquet', 'tokens', 'reward'].map((name) => `dist/${name}-worker.js`),
  'dist/reward-worker.py',
  'dist/kernels.wasm',
  'dist/treeSitter.wasm.br',
  'dist/report.js',
  'dist/report.css',
];

/** Paths from the root. @throws a system error for a folder that is missing, Error for an empty one */
export async function cliFiles(root: string): Promise<string[]> {
  const found = [...files, ...(await docPages(root)), ...studyPages];
  for (const [folder, ending] of Object.entries(folders)) {
    const names = (await readdir(join(root, folder))).filter((name) => ending.test(name));
    if (names.length === 0) throw new Error(`${folder} has no file for the package: run "npm run build" first.`);
    found.push(...names.map((name) => posix.join(folder, name)));
  }
  return found.sort();
}
