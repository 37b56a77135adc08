/** A WebAssembly module, the same for the same sources. @throws Error what the compiler says against them */
export function compileKernels(): Promise<Uint8Array>;
/** Told to the compiler. */
export const kernelOptions: readonly string[];
