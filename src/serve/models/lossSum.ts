/** A loss from logprobs alone, as the kernels compute it: the result of `forward` without a gradient (§6). */
import type { Loss } from '../../engine/ports.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/** Arrays are flat and aligned. A token without weight counts nothing, however large its ratio. */
export function lossSum(loss: Loss, logprobs: Float32Array, arrays: Readonly<Record<string, Float32Array>>): number {
  const weights = arrays[loss.name === 'cross_entropy' ? 'weights' : 'advantages'] ?? new Float32Array();
  let sum = 0;
  weights.forEach((weight, i) => {
    if (weight === 0) return;
    const logprob = logprobs[i] ?? outOfRange();
    if (loss.name === 'cross_entropy') {
      sum -= weight * logprob;
      return;
    }
    const ratio = Math.exp(logprob - (arrays['logprobs']?.[i] ?? 0));
    if (loss.name === 'importance_sampling') {
      sum -= ratio * weight;
      return;
    }
    const clipped = Math.min(Math.max(ratio, loss.clipLow), loss.clipHigh);
    sum -= loss.name === 'ppo' ? Math.min(ratio * weight, clipped * weight) : clipped * logprob * weight;
  });
  return sum;
}
