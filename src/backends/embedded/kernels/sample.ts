import { exp4 } from './math';
import { mix64, uniform } from './random';
import { rowLogSumExp } from './softmax';

/** Writes the 8-byte key of the stream (seed, index); the seed comes as two halves of 32 bits. */
export function streamKey(at: usize, low: u32, high: u32, index: u32): void {
  const seed = ((<u64>high) << 32) | <u64>low;
  store<u64>(at, mix64(mix64(seed + 0x9e3779b97f4a7c15) + (<u64>index + 1) * 0xd1b54a32d192ed03));
}

/**
 * One token per row from logits[rowOf[m]] (their unused columns already masked by `logSumExp`). `inverse` is 1/temperature,
 * 0 for greedy; token number steps[m] of stream keys[m]. Writes the token and its logprob under the tempered distribution
 * (greedy: temperature 1). `scratch` holds Vpad floats.
 */
export function sampleRows(
  M: i32, V: i32, Vpad: i32,
  logits: usize, rowOf: usize, inverse: usize, keys: usize, steps: usize,
  tokens: usize, logprobs: usize, scratch: usize,
): void {
  const bytes = (<usize>Vpad) << 2;
  for (let m = 0; m < M; m++) {
    const o = (<usize>m) << 2;
    const row = logits + <usize>load<i32>(rowOf + o) * bytes;
    const factor = load<f32>(inverse + o);
    const scale = f32x4.splat(factor == 0 ? 1 : factor);
    for (let i: usize = 0; i < bytes; i += 16) v128.store(scratch + i, f32x4.mul(v128.load(row + i), scale));
    const lse = rowLogSumExp(scratch, bytes);
    const token =
      factor == 0
        ? argmax(scratch, V)
        : pick(scratch, V, bytes, lse, uniform(load<u64>(keys + ((<usize>m) << 3)), <u64>load<i32>(steps + o)));
    store<i32>(tokens + o, token);
    const logit = load<f32>(row + ((<usize>token) << 2)) * (factor == 0 ? 1 : factor);
    store<f32>(logprobs + o, logit - lse);
  }
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

/** First i whose cumulative probability passes `u`; the row is overwritten by probabilities. */
function pick(row: usize, V: i32, bytes: usize, lse: f32, u: f64): i32 {
  const shift = f32x4.splat(lse);
  let total: f64 = 0;
  for (let i: usize = 0; i < bytes; i += 16) v128.store(row + i, exp4(f32x4.sub(v128.load(row + i), shift)));
  for (let i = 0; i < V; i++) {
    total += <f64>load<f32>(row + ((<usize>i) << 2));
    if (total > u) return i;
  }
  // Rounding left the sum just under u: the likeliest token stands in for the missing sliver.
  return argmax(row, V);
}
