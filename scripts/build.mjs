// Builds what ships into dist/. `node scripts/build.mjs` builds everything; with names (`kernels worker`) only those.
// One table of targets; a missing entry is an error, never a silent skip.
import { cp, glob, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { bundleCli } from './cliBundle.mjs';
import { bundleHost } from './hostBundle.mjs';
import { lateJsonSchema } from './lateJsonSchema.mjs';
import { bundlePages } from './pages.mjs';
import { builtFrom, fingerprint } from './sources.mjs';
import { vendor } from './vendor.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;

/** @type {esbuild.BuildOptions} */
const node = {
  platform: 'node',
  target: 'node22',
  format: 'esm',
  bundle: true,
  // jsonc-parser's CommonJS build hides its requires from a bundler; its ES build does not.
  mainFields: ['module', 'main'],
  sourcemap: 'linked',
  logLevel: 'warning',
  plugins: vendor,
};
/** Names stay: a stack trace in a log can be read without a map. @type {esbuild.BuildOptions} */
const small = { minifyWhitespace: true, minifySyntax: true };
/** @type {esbuild.BuildOptions} */
const browser = {
  platform: 'browser',
  target: 'es2023',
  format: 'iife',
  bundle: true,
  minify: true,
  logLevel: 'warning',
};

/** @param {string} outfile */
async function report(outfile) {
  const { size } = await stat(outfile);
  console.log(`${outfile.slice(root.length).padEnd(28)} ${(size / 1024).toFixed(0).padStart(6)} kB`);
}

/** @param {esbuild.BuildOptions & { outfile: string }} options */
async function bundle(options) {
  await esbuild.build(options);
  await report(options.outfile);
}

/** @type {Record<string, () => Promise<void>>} */
const targets = {
  async kernels() {
    const { compileKernels } = await import('./kernels.mjs');
    await writeFile(`${dist}/kernels.wasm`, await compileKernels());
    await report(`${dist}/kernels.wasm`);
  },
  /** Threads of the host and the command line. What they share (zod, the readers of records) stands in chunks. */
  async workers() {
    const entryPoints = {
      'embedded-worker': `${root}src/endpoints/embedded/worker.ts`,
      'tokens-worker': `${root}src/endpoints/tokens/worker.ts`,
      'parquet-worker': `${root}src/runs/import/parquetWorker.ts`,
      'search-worker': `${root}src/features/search/node/worker.ts`,
    };
    await rm(`${dist}/workers`, { recursive: true, force: true });
    await esbuild.build({
      ...node,
      ...small,
      minifyIdentifiers: true,
      entryPoints,
      outdir: dist,
      splitting: true,
      chunkNames: 'workers/[hash]',
      plugins: [lateJsonSchema, ...vendor],
      // Threads read no translations, and the build for Node requires "fs", which modules do not have.
      alias: { '@vscode/l10n': `${root}node_modules/@vscode/l10n/dist/browser.js` },
    });
    for await (const file of glob(`${dist}/{*-worker,workers/*}.js`))
      if ((await readFile(file, 'utf8')).includes('Dynamic require of'))
        throw new Error(`${file} requires what no module has: it would fail when it is loaded.`);
    for (const name of Object.keys(entryPoints)) await report(`${dist}/${name}.js`);
  },
  async rewards() {
    const entryPoints = [`${root}src/rewards/processes/node/worker.ts`];
    await bundle({ ...node, entryPoints, outfile: `${dist}/reward-worker.js`, ...small });
    await cp(`${root}src/rewards/processes/python/worker.py`, `${dist}/reward-worker.py`);
    await report(`${dist}/reward-worker.py`);
  },
  /** Domains that ship, as the domain files that they are: to be run by Python, and to be copied by people. */
  async domains() {
    const folders = ['src/domains/shipped', 'src/benchmarks/recipes', 'src/benchmarks/storekeeper'];
    await rm(`${dist}/domains`, { recursive: true, force: true });
    await mkdir(`${dist}/domains`, { recursive: true });
    let files = 0;
    for (const folder of folders) {
      const ours = (await readdir(`${root}${folder}`)).filter((name) => /^stories\.|\.domain\.|^asking\./.test(name));
      for (const name of ours) await cp(`${root}${folder}/${name}`, `${dist}/domains/${name}`);
      files += ours.length;
    }
    console.log(`${'dist/domains'.padEnd(28)} ${String(files).padStart(6)} files`);
  },
  async cli() {
    await bundleCli(`${root}src/cli/main.ts`, dist, { ...node, ...small });
    await report(`${dist}/cli/first.cjs`);
  },
  async report() {
    await bundle({ ...browser, entryPoints: [`${root}webview/report/main.ts`], outfile: `${dist}/report.js` });
    await bundle({ ...browser, entryPoints: [`${root}webview/report/report.css`], outfile: `${dist}/report.css` });
  },
  async extension() {
    const entries = {
      extension: `${root}src/extension.ts`,
      runner: `${root}src/features/runner/node/process.ts`,
      agents: `${root}src/features/agents/cli/process.ts`,
      genenv: `${root}src/cli/inEditor/process.ts`,
    };
    await bundleHost(entries, dist, {
      ...node,
      ...small,
      // zod asks it for Cloudflare; VS Code warns of every extension that asks for it at all.
      define: { navigator: 'undefined' },
    });
    await report(`${dist}/extension.cjs`);
    await report(`${dist}/runner.cjs`);
    await report(`${dist}/agents.cjs`);
    await report(`${dist}/genenv.cjs`);
  },
  async webviews() {
    await bundlePages(`${dist}/webviews`, true);
    for (const name of await readdir(`${dist}/webviews`)) {
      if (!name.startsWith('chunk-')) await report(`${dist}/webviews/${name}`);
    }
  },
  async tokenizers() {
    const { writeTokenizers } = await import('./tokenizers.ts');
    await writeTokenizers(`${root}src/endpoints/embedded/weights`, `${dist}/tokenizers`);
  },
  async treeSitter() {
    const whole = await readFile(`${root}src/benchmarks/bfcl/grammars/treeSitter.wasm`);
    await writeFile(`${dist}/treeSitter.wasm.br`, brotliCompressSync(whole));
    await report(`${dist}/treeSitter.wasm.br`);
  },
  weights: () => cp(`${root}src/endpoints/embedded/weights`, `${dist}/weights`, { recursive: true }),
};

const names = process.argv.slice(2);
for (const name of names) {
  if (!(name in targets)) {
    console.error(`build: no target '${name}'; there are ${Object.keys(targets).join(', ')}`);
    process.exit(2);
  }
}
// Of the sources as they are now: a change made while building calls for another build.
const sources = fingerprint(root);
await mkdir(dist, { recursive: true });
await writeFile(`${dist}/package.json`, '{"type":"module"}\n');
for (const name of names.length > 0 ? names : Object.keys(targets)) await targets[name]();
if (names.length === 0) await writeFile(builtFrom(root), sources);
