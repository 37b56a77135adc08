/** The embedded models' kernels, compiled: part of `npm run build`, and what tests compute with. */
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Told to the compiler. No relaxed SIMD: its results may differ between machines. */
export const kernelOptions: readonly string[] = [
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--converge'],
  ...['--enable', 'simd', '--runtime', 'stub', '--importMemory', '--initialMemory', '1', '--use', 'abort='],
];

/** @returns a WebAssembly module, the same for the same sources @throws Error what the compiler says against them */
export async function compileKernels(): Promise<Uint8Array> {
  let module: Uint8Array | undefined;
  const { error, stderr } = await asc.main(
    ['src/backends/embedded/kernels/index.ts', '--baseDir', root, '--outFile', 'kernels.wasm', ...kernelOptions],
    { writeFile: (_name, content) => void (typeof content !== 'string' && (module = content)) },
  );
  if (error !== null || module === undefined) throw new Error(`The kernels do not compile.\n${stderr.toString()}`);
  return module;
}
