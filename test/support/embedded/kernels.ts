/** The kernels as their sources are now: compiled once for each state of them, and kept where temporary files are. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileKernels, kernelOptions } from '../../../scripts/kernels.mjs';
import { Arena } from '../../../src/endpoints/embedded/model/arena.ts';
import { type Kernels, loadKernels } from '../../../src/endpoints/embedded/model/kernels.ts';

const sources = fileURLToPath(new URL('../../../src/endpoints/embedded/kernels', import.meta.url));

async function keptAt(): Promise<string> {
  const made = createHash('sha256').update(kernelOptions.join());
  const names = (await readdir(sources)).filter((name) => name.endsWith('.ts')).sort();
  for (const name of names) made.update(`\n${name}\n`).update(await readFile(join(sources, name)));
  return join(tmpdir(), `genenv-kernels-${made.digest('hex').slice(0, 16)}.wasm`);
}

async function kernelsOfSources(): Promise<Uint8Array> {
  const path = await keptAt();
  const kept = await readFile(path).catch(() => null);
  if (kept !== null) return kept;
  const compiled = await compileKernels();
  // Another process may be at the same: each writes its own, and the last one stays.
  await writeFile(`${path}-${process.pid}`, compiled);
  await rename(`${path}-${process.pid}`, path);
  return compiled;
}

const bytes = await kernelsOfSources();

export const kernelBytes = (): Uint8Array => bytes;

/** Kernels over a scratch memory, for tests that call them one by one. */
export class KernelBench {
  readonly kernels: Kernels;
  readonly #arena: Arena;
  readonly #memory: WebAssembly.Memory;

  constructor() {
    const { kernels, memory } = loadKernels(kernelBytes());
    this.kernels = kernels;
    this.#memory = memory;
    this.#arena = new Arena(kernels.arenaStart());
  }

  /** Room for `count` floats, zero, with slack for kernels that touch a little past the end. */
  zeros(count: number): number {
    const at = this.#arena.words(count + 1024);
    this.#arena.commit(this.#memory);
    return at;
  }

  floats(values: ArrayLike<number>): number {
    const at = this.zeros(values.length);
    this.set(at, values);
    return at;
  }

  ints(values: ArrayLike<number>): number {
    const at = this.zeros(values.length);
    new Int32Array(this.#memory.buffer, at, values.length).set(values);
    return at;
  }

  set(at: number, values: ArrayLike<number>): void {
    new Float32Array(this.#memory.buffer, at, values.length).set(values);
  }

  get(at: number, count: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, count).slice();
  }

  getInts(at: number, count: number): Int32Array {
    return new Int32Array(this.#memory.buffer, at, count).slice();
  }
}
