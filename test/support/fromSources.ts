/**
 * The build's folder made of the current sources: for tests in one process, which need no build and cannot test an old
 * one. Without the parts that run in separate processes (rewards) or in a browser (the report).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { writeTokenizers } from '../../scripts/tokenizers.ts';
import { packedTreeSitter } from '../../src/benchmarks/bfcl/decoders/packedTreeSitter.ts';
import { kernelBytes } from './embedded/kernels.ts';

const source = (path: string): string => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'genenv-sources-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));
// As in the extension: what ships beside the build is found from it.
await symlink(fileURLToPath(new URL('../../media', import.meta.url)), join(root, 'media'));
const folder = join(root, 'dist');
await mkdir(folder);

const weights = source('endpoints/embedded/weights');
const workers = {
  'embedded-worker.js': 'endpoints/embedded/worker.ts',
  'parquet-worker.js': 'runs/import/parquetWorker.ts',
  'tokens-worker.js': 'endpoints/tokens/worker.ts',
  'search-worker.js': 'features/search/node/worker.ts',
};
// Dozens of threads load the same sources, without our environment: compiled once, they start in half the time. Where this
// process keeps no cache (a file run by itself), theirs would come to lie in the temporary folder, which tests look into.
const kept = getCompileCacheDir();
const cached =
  kept === undefined
    ? ''
    : `import { enableCompileCache } from 'node:module';\nenableCompileCache(${JSON.stringify(kept)});\n`;
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
for (const [name, path] of Object.entries(workers)) {
  const sources = JSON.stringify(pathToFileURL(source(path)).href);
  await writeFile(join(folder, name), `${cached}await import(${sources});\n`);
}
await writeFile(join(folder, 'kernels.wasm'), kernelBytes());
await symlink(weights, join(folder, 'weights'));
const grammars = brotliCompressSync(readFileSync(source('benchmarks/bfcl/grammars/treeSitter.wasm')), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
});
await writeFile(join(folder, packedTreeSitter), grammars);
await writeTokenizers(weights, join(folder, 'tokenizers'));

/** In place of the build's folder. */
export const fromSources = pathToFileURL(`${folder}/`);
