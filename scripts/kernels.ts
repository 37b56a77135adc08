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
  let said = '';
  const { error } = await asc.main(
    ['src/backends/embedded/kernels/index.ts', '--baseDir', root, '--outFile', 'kernels.wasm', ...kernelOptions],
    {
      stderr: { write: (text) => (said += String(text)) },
      writeFile: (_name, content) => {
        if (typeof content !== 'string') module = content;
      },
    },
  );
  if (error !== null || module === undefined) throw new Error(`The kernels do not compile.\n${said}`);
  return module;
}
