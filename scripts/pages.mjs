// The editor's pages: a module for each `webview/NAME/main.ts`, a style sheet for each `webview/NAME/NAME.css`, and one before
// it for all. Code that several pages need (zod, d3, the toolkit) stands in chunks that they share.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { lateJsonSchema } from './lateJsonSchema.mjs';
import { usedIcons } from './usedIcons.mjs';

const folder = fileURLToPath(new URL('../webview/', import.meta.url));

/** The report is a file of its own, with its code inside. */
export const pages = readdirSync(folder)
  .filter((name) => name !== 'report' && existsSync(join(folder, name, 'main.ts')))
  .toSorted();

/** Colours, icons and frames, which each page loads before its own sheet. */
export const baseSheet = 'base.css';

/**
 * @param {string} outdir emptied first: chunks are named by their contents
 * @param {boolean} minify
 */
export async function bundlePages(outdir, minify) {
  await rm(outdir, { recursive: true, force: true });
  const entries = (file) => pages.map((name) => ({ in: join(folder, name, file(name)), out: name }));
  /** @type {esbuild.BuildOptions} */
  const options = { outdir, bundle: true, minify, platform: 'browser', target: 'es2023', logLevel: 'warning' };
  await esbuild.build({
    ...options,
    entryPoints: entries(() => 'main.ts'),
    format: 'esm',
    splitting: true,
    chunkNames: 'chunk-[hash]',
    plugins: [lateJsonSchema],
  });
  const sheets = [
    ...entries((name) => `${name}.css`),
    { in: join(folder, 'lib', baseSheet), out: parse(baseSheet).name },
  ];
  await esbuild.build({ ...options, entryPoints: sheets, plugins: [usedIcons(outdir)] });
}

/**
 * Files that a built page loads: its module and the chunks that this imports, at once or ever.
 * @param {string} outdir of `bundlePages`
 * @param {string} name
 * @param {'at once' | 'ever'} when
 */
export function modulesOf(outdir, name, when = 'ever') {
  const imported = when === 'ever' ? chunk : new RegExp(`(?<!import\\()${chunk.source}`, 'g');
  const files = new Set([`${name}.js`]);
  for (const part of files) {
    const code = readFileSync(join(outdir, part), 'utf8');
    for (const [, file] of code.matchAll(imported)) files.add(file);
  }
  return [...files];
}

const chunk = /["']\.\/(chunk-[A-Z0-9]+\.js)["']/g;
