// Builds everything that ships into dist/: the kernels, the worker, the command line, the report's browser code.
// One table of bundles; a missing entry is an error, never a silent skip.
import { execFileSync } from 'node:child_process';
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import * as esbuild from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const dist = `${root}dist`;
await mkdir(dist, { recursive: true });

execFileSync(
  process.execPath,
  [
    `${root}node_modules/assemblyscript/bin/asc.js`,
    `${root}src/backends/embedded/kernels/index.ts`,
    '--outFile', `${dist}/kernels.wasm`,
    '--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--converge',
    '--enable', 'simd', '--runtime', 'stub', '--importMemory', '--initialMemory', '1', '--use', 'abort=',
  ],
  { stdio: 'inherit', cwd: root },
);

/** @type {esbuild.BuildOptions} */
const node = { platform: 'node', target: 'node22', format: 'esm', bundle: true, sourcemap: 'linked', logLevel: 'warning' };
// CommonJS dependencies inside an ESM bundle call require().
const banner = { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" };
/** @type {esbuild.BuildOptions} */
const browser = { platform: 'browser', target: 'es2023', format: 'iife', bundle: true, minify: true, logLevel: 'warning' };

const bundles = [
  { ...node, entryPoints: [`${root}src/backends/embedded/worker.ts`], outfile: `${dist}/embedded-worker.js` },
  {
    ...node,
    entryPoints: [`${root}src/cli/main.ts`],
    outfile: `${dist}/cli.js`,
    banner: { js: `#!/usr/bin/env node\n${banner.js}` },
  },
  { ...browser, entryPoints: [`${root}webview/report/main.ts`], outfile: `${dist}/report.js` },
];
for (const bundle of bundles) await esbuild.build(bundle);
await cp(`${root}webview/report/report.css`, `${dist}/report.css`);
await cp(`${root}src/backends/embedded/weights`, `${dist}/weights`, { recursive: true });
await writeFile(`${dist}/package.json`, '{"type":"module"}\n');
for (const { outfile } of bundles) {
  const { size } = await stat(outfile);
  console.log(`${outfile.slice(root.length).padEnd(28)} ${(size / 1024).toFixed(0).padStart(6)} kB`);
}
