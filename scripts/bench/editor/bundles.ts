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
    ...pages.map(figureOfPage),
  ]);
}

async function figureOfPage(name: string): Promise<Figure> {
  const atOnce = filesOfPage(name, 'at once');
  const ever = filesOfPage(name, 'ever');
  const later = await sizeOf(ever.filter((file) => !atOnce.includes(file)));
  return figure(`page ${name}`, atOnce, 350, later === 0 ? '' : `${later.toFixed(0)} kB more come after it`);
}

const filesOfPage = (name: string, when: 'at once' | 'ever'): string[] =>
  modulesOf(fileURLToPath(new URL('webviews/', dist)), name, when).map((file) => `webviews/${file}`);

/** In kB. */
async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(fileURLToPath(new URL(file, dist)))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

async function figure(name: string, files: readonly string[], budget: number | undefined, note = ''): Promise<Figure> {
  const value = await sizeOf(files);
  return { name: `bundle of the ${name}`, value, unit: 'kB', ...defined({ budget }), better: 'lower', note };
}
