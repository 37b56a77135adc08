import { mix64, uniform } from './random';
import { logSum, maskUnused, rowExp, rowMax } from './softmax';

/** Writes the 8-byte key of the stream (seed, index); the seed comes as two halves of 32 bits. */
export function streamKey(at: usize, low: u32, high: u32, index: u32): void {
  const seed = ((<u64>high) << 32) | <u64>low;
  store<u64>(at, mix64(mix64(seed + 0x9e3779b97f4a7c15) + (<u64>index + 1) * 0xd1b54a32d192ed03));
}

/**
 * One token per row from logits[rowOf[m]]. `inverse` is 1/temperature, 0 for greedy; token number steps[m] of stream
 * keys[m]. Writes the token and its logprob under logits × told[m]: 1 is the model's own distribution, `inverse` the
 * tempered one that was sampled from. Greedy tokens have the model's own. `scratch` holds Vpad floats.
 */
export function sampleRows(
  M: i32, V: i32, Vpad: i32,
  logits: usize, rowOf: usize, inverse: usize, told: usize, keys: usize, steps: usize,
  tokens: usize, logprobs: usize, scratch: usize,
): void {
  const bytes = (<usize>Vpad) << 2;
  for (let m = 0; m < M; m++) {
    const o = (<usize>m) << 2;
    const row = logits + <usize>load<i32>(rowOf + o) * bytes;
    const greedy = load<f32>(inverse + o) == 0;
    const factor: f32 = greedy ? 1 : load<f32>(inverse + o);
    scaled(row, factor, scratch, V, Vpad);
    // The same steps as logSumExp, so that a sampled token's logprob is the one that a forward pass gives.
    let highest = rowMax(scratch, bytes);
    let total = rowExp(scratch, bytes, highest);
    const token = greedy
      ? argmax(row, V)
      : pick(scratch, V, <f64>total * uniform(load<u64>(keys + ((<usize>m) << 3)), <u64>load<i32>(steps + o)));
    store<i32>(tokens + o, token);
    const own: f32 = greedy ? 1 : load<f32>(told + o);
    if (own != factor) {
      scaled(row, own, scratch, V, Vpad);
      highest = rowMax(scratch, bytes);
      total = rowExp(scratch, bytes, highest);
    }
    const logit = load<f32>(row + ((<usize>token) << 2)) * own;
    store<f32>(logprobs + o, logit - logSum(highest, total));
  }
}

/** scratch ← row × factor, its unused columns out of the way. */
function scaled(row: usize, factor: f32, scratch: usize, V: i32, Vpad: i32): void {
  const scale = f32x4.splat(factor);
  const bytes = (<usize>Vpad) << 2;
  for (let i: usize = 0; i < bytes; i += 16) v128.store(scratch + i, f32x4.mul(v128.load(row + i), scale));
  maskUnused(scratch, V, Vpad);
}

function argmax(row: usize, V: i32): i32 {
  let best = 0;
  let top = load<f32>(row);
  for (let i = 1; i < V; i++) {
    const value = load<f32>(row + ((<usize>i) << 2));
    if (value > top) {
      top = value;
      best = i;
    }
  }
  return best;
}

/** First i at which the sum of `weights` passes `bound`. */
function pick(weights: usize, V: i32, bound: f64): i32 {
  let total: f64 = 0;
  for (let i = 0; i < V; i++) {
    total += <f64>load<f32>(weights + ((<usize>i) << 2));
    if (total > bound) return i;
  }
  // Rounding left the sum just under the bound: the likeliest token stands in for the missing sliver.
  return argmax(weights, V);
}
