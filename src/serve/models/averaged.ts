/**
 * Gradients as SkyRL's JAX backend makes them: of each sequence Σ(loss)/Σ(weights), then the mean over all sequences of
 * an optimiser step. A batch is held back until the step says how many there are, and then summed with smaller weights.
 */
import type { Batch } from './datum.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** The batches of one step, scaled so that their sum is that mean. `weights` beside a loss of ratios count as its own. */
export function averaged(batches: readonly Batch[]): Batch[] {
  const sequences = batches.reduce((sum, batch) => sum + batch.sequences.offsets.length - 1, 0);
  return batches.map((batch) => {
    const { loss, arrays, sequences: flat } = batch;
    const name = loss.name === 'cross_entropy' ? 'weights' : 'advantages';
    const values = arrays[name] ?? new Float32Array(flat.tokens.length);
    const scaled = Float32Array.from(values);
    for (let i = 0; i + 1 < flat.offsets.length; i++) {
      const [start = 0, end = 0] = [flat.offsets[i], flat.offsets[i + 1]];
      // A loss of ratios weighs every target alike, the prompt's too.
      const total = loss.name === 'cross_entropy' ? sum(values, start, end) : end - start - 1;
      for (let t = start; t < end; t++) scaled[t] = (values[t] ?? outOfRange()) / (total * sequences);
    }
    return { ...batch, arrays: { ...arrays, [name]: scaled } };
  });
}

function sum(values: Float32Array, start: number, end: number): number {
  let total = 0;
  for (let t = start; t < end; t++) total += values[t] ?? outOfRange();
  return total;
}
