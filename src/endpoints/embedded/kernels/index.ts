/**
 * Kernels of the embedded policies, AssemblyScript with 128-bit SIMD. Every pointer is a byte offset into the imported
 * memory, which TypeScript owns above `arenaStart()`; nothing here allocates.
 *
 * Two rules make results reproducible: each output element is accumulated in one fixed order whatever rows stand beside
 * it (so one sequence's numbers never depend on its batch), and exp, log, sin and cos are computed here, never by the host.
 */
export { gemm, gemmTransposed, transposePanels } from './gemm';
export { rmsNorm, rmsNormBackward } from './norm';
export { ropeTable, rope } from './rope';
export { attention, attentionBackward, attendCached, storeKeys, copyKeys } from './attention';
export { gelu, geluBackward } from './gelu';
export { embed, embedBackward, gatherRows } from './embedding';
export { windowGather, windowBackward, windowCached } from './window';
export { logSumExp, gatherLogprobs, logitsBackward } from './softmax';
export { lossGradient } from './loss';
export { adamw, squaredNorm } from './adam';
export { streamKey, sampleRows } from './sample';
export { fillUniform } from './random';

/** First byte that static data does not occupy. */
export function arenaStart(): usize {
  return __heap_base;
}
