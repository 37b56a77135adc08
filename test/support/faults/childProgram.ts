/**
 * `child.ts` as one file: dozens are started to be killed, and each would find, read and join a thousand sources first, which
 * takes half a second of a processor.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

let made: Promise<string> | undefined;

/** @returns the file, made once */
export function childProgram(): Promise<string> {
  made ??= make();
  return made;
}

async function make(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genenv-child-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'child.mjs');
  await esbuild.build({
    ...{ platform: 'node', target: 'node24', format: 'esm', bundle: true, outfile, sourcemap: 'inline' },
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    // Packages in CommonJS require what Node has.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return outfile;
}
