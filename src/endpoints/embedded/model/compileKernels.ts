/**
 * Compilation of the kernels with V8's own options for them: optimised at once instead of after a warm-up, and, where it
 * was tested, with pairs of 128-bit operations merged into 256-bit ones. Merging changes no result: the same lanes see the
 * same operations (test/unit/endpoints/embedded/wideVectors.test.ts compares the bits). It nearly doubles the speed.
 */
import { setFlagsFromString } from 'node:v8';

/** V8 versions on which merged kernels were tested; others run the plain ones. */
const testedVersions = /^13\.6\./;

/** Options that hold while the kernels compile, and what is put back afterwards. */
const options = [
  ['--experimental-wasm-revectorize', '--no-experimental-wasm-revectorize'],
  ['--no-liftoff', '--liftoff'],
  ['--no-wasm-lazy-compilation', '--wasm-lazy-compilation'],
] as const;

/** Whether the kernels' 128-bit operations are merged into 256-bit ones here. */
export const mergesVectors = (): boolean => testedVersions.test(process.versions.v8);

export function compileKernels(bytes: Uint8Array): WebAssembly.Module {
  if (!mergesVectors()) return new WebAssembly.Module(bytes);
  for (const [on] of options) setFlagsFromString(on);
  try {
    return new WebAssembly.Module(bytes);
  } finally {
    for (const [, off] of options) setFlagsFromString(off);
  }
}
