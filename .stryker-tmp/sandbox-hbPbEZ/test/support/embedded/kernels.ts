/** The compiled kernels, rebuilt when they are older than their sources. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Arena } from '../../../src/backends/embedded/arena.ts';
import { type Kernels, loadKernels } from '../../../src/backends/embedded/kernels.ts';

const root = new URL('../../../', import.meta.url);
const file = fileURLToPath(new URL('dist/kernels.wasm', root));
const sources = fileURLToPath(new URL('src/backends/embedded/kernels/', root));

function isStale(): boolean {
  if (!existsSync(file)) return true;
  const built = statSync(file).mtimeMs;
  return readdirSync(sources).some((name) => statSync(sources + name).mtimeMs > built);
}

let bytes: Uint8Array | undefined;

export function kernelBytes(): Uint8Array {
  if (!bytes) {
    if (isStale()) execFileSync(process.execPath, [fileURLToPath(new URL('scripts/build.mjs', root)), 'kernels']);
    bytes = readFileSync(file);
  }
  return bytes;
}

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
