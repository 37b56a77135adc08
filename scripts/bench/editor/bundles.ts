/** Sizes of what is loaded into the editor. */
import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defined } from '../../../src/shared/defined.ts';
import { modulesOf, pages } from '../../pages.mjs';
import type { Figure } from '../figure.ts';

const dist = new URL('../../../dist/', import.meta.url);

export async function benchBundles(): Promise<Figure[]> {
  const chunks = (await readdir(new URL('chunks/', dist))).filter((name) => name.endsWith('.cjs'));
  const host = ['extension.cjs', ...chunks.map((name) => `chunks/${name}`)];
  return Promise.all([
    figure(
      'extension host, runner and command line',
      host,
      undefined,
      `in ${host.length} parts, which come with their first use`,
    ),
    ...pages.map((name) => figure(`page ${name}`, filesOfPage(name), 360)),
  ]);
}

const filesOfPage = (name: string): string[] =>
  modulesOf(fileURLToPath(new URL('webviews/', dist)), name).map((file) => `webviews/${file}`);

async function figure(name: string, files: readonly string[], budget: number | undefined, note = ''): Promise<Figure> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(fileURLToPath(new URL(file, dist)))).size));
  const value = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  return { name: `bundle of the ${name}`, value, unit: 'kB', ...defined({ budget }), better: 'lower', note };
}
