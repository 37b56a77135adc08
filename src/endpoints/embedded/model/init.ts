/** Seeded random weights: uniform with standard deviation 1/√fan-in, residual branches scaled down by their number. */
import { largest } from '../../../shared/extremes.ts';
import type { ModelConfig } from './config.ts';
import { type KernelSource, loadKernels } from './kernels.ts';
import { type Layout, layoutOf, type Tensor } from './layout.ts';
import { Arena } from './arena.ts';

/** Row-major, as on disk. The kernels' generator makes them, so every machine gets the same. */
export function initialWeights(source: KernelSource, config: ModelConfig, seed: number): Float32Array {
  const layout = layoutOf(config);
  const { kernels, memory } = loadKernels(source);
  const arena = new Arena(kernels.arenaStart());
  const key = arena.words(2);
  const widest = largest(layout.tensors.map((tensor) => tensor.rows * tensor.columns));
  const values = arena.words(widest);
  arena.commit(memory);
  const f32 = new Float32Array(memory.buffer);
  const weights = new Float32Array(layout.diskSize);
  layout.tensors.forEach((tensor, index) => {
    const count = tensor.rows * tensor.columns;
    if (tensor.rows === 1) {
      weights.fill(1, tensor.diskOffset, tensor.diskOffset + count);
      return;
    }
    kernels.streamKey(key, seed >>> 0, Math.floor(seed / 2 ** 32), index);
    kernels.fillUniform(count, values, Math.sqrt(3) * deviation(tensor, layout, config), key);
    weights.set(f32.subarray(values / 4, values / 4 + count), tensor.diskOffset);
  });
  return weights;
}

function deviation(tensor: Tensor, layout: Layout, config: ModelConfig): number {
  if (tensor === layout.embedding) return 0.5;
  const fanIn = 1 / Math.sqrt(tensor.rows);
  const residual = layout.layers.some((layer) => tensor === layer.out || tensor === layer.down);
  return residual ? fanIn / Math.sqrt(2 * config.layers) : fanIn;
}
