/**
 * The embedded models' kernels, compiled: part of `npm run build`, and what tests compute with. JavaScript, because the
 * compiler's types would change those of arrays for the whole project.
 */
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Told to the compiler. No relaxed SIMD: its results may differ between machines. */
export const kernelOptions = [
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--noAssert', '--converge'],
  ...['--enable', 'simd', '--runtime', 'stub', '--importMemory', '--initialMemory', '1', '--use', 'abort='],
];

export async function compileKernels() {
  // Loading the compiler takes longer than all else that a test’s process loads, and the kernels are mostly kept.
  const { default: asc } = await import('assemblyscript/asc');
  let module;
  let said = '';
  const { error } = await asc.main(
    ['src/endpoints/embedded/kernels/index.ts', '--baseDir', root, '--outFile', 'kernels.wasm', ...kernelOptions],
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
