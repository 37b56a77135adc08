/**
 * `child.ts` as a few files: dozens are started to be killed, and each would find, read and join a thousand sources first,
 * which takes half a second of a processor. What a run may never need lies apart, as in the build.
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
  await esbuild.build({
    ...{ platform: 'node', target: 'node24', format: 'esm', bundle: true, splitting: true, outdir: folder },
    // Names stay, for the stacks of what fails.
    ...{ minifySyntax: true, minifyWhitespace: true, outExtension: { '.js': '.mjs' } },
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    // Packages in CommonJS require what Node has.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  return join(folder, 'child.mjs');
}
