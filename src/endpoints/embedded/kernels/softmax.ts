import { exp4, max4, sum4 } from './math';

/** Per row of logits (V used of Vpad columns, Vpad a multiple of 8): log Σ exp into `lse`. */
export function logSumExp(M: i32, V: i32, Vpad: i32, logits: usize, lse: usize, scratch: usize): void {
  const bytes = (<usize>Vpad) << 2;
  for (let m = 0; m < M; m++) {
    maskUnused(logits, V, Vpad);
    memory.copy(scratch, logits, bytes);
    const highest = rowMax(scratch, bytes);
    store<f32>(lse, logSum(highest, rowExp(scratch, bytes, highest)));
    logits += bytes;
    lse += 4;
  }
}

/** Gives the unused columns a value whose exponential vanishes beside any other. */
// @ts-ignore: decorator
@inline
export function maskUnused(row: usize, V: i32, Vpad: i32): void {
  for (let i = V; i < Vpad; i++) store<f32>(row + ((<usize>i) << 2), -1e30);
}

/** Largest value of the row, in every lane. */
// @ts-ignore: decorator
@inline
export function rowMax(row: usize, bytes: usize): v128 {
  let top = v128.load(row);
  for (let i: usize = 16; i < bytes; i += 16) top = f32x4.pmax(top, v128.load(row + i));
  return max4(top);
}

/** row ← exp(row − highest); returns the sum. */
// @ts-ignore: decorator
@inline
export function rowExp(row: usize, bytes: usize, highest: v128): f32 {
  let even = f32x4.splat(0);
  let odd = f32x4.splat(0);
  for (let i: usize = 0; i < bytes; i += 32) {
    const a = exp4(f32x4.sub(v128.load(row + i), highest));
    const b = exp4(f32x4.sub(v128.load(row + i, 16), highest));
    v128.store(row + i, a);
    v128.store(row + i, b, 16);
    even = f32x4.add(even, a);
    odd = f32x4.add(odd, b);
  }
  return f32x4.extract_lane(sum4(f32x4.add(even, odd)), 0);
}

// @ts-ignore: decorator
@inline
export function logSum(highest: v128, total: f32): f32 {
  return f32x4.extract_lane(highest, 0) + <f32>Math.log(<f64>total);
}

/** p[i] = log-probability of targets[i] at row rows[i]. */
export function gatherLogprobs(
  n: i32, Vpad: i32,
  logits: usize, lse: usize, rows: usize, targets: usize, p: usize,
): void {
  for (let i = 0; i < n; i++) {
    const o = (<usize>i) << 2;
    const row = load<i32>(rows + o);
    const logit = load<f32>(logits + ((<usize>(row * Vpad + load<i32>(targets + o))) << 2));
    store<f32>(p + o, logit - load<f32>(lse + ((<usize>row) << 2)));
  }
}

/**
 * Logits ← ∂L/∂logits, given g[i] = ∂L/∂p[i] of (row, target) pairs: Σ g·(onehot − softmax). Several pairs may share a
 * row. `total` is scratch, one float per row.
 */
export function logitsBackward(
  M: i32, V: i32, Vpad: i32,
  logits: usize, lse: usize, n: i32, rows: usize, targets: usize, g: usize, total: usize,
): void {
  memory.fill(total, 0, (<usize>M) << 2);
  for (let i = 0; i < n; i++) {
    const o = (<usize>i) << 2;
    const at = total + ((<usize>load<i32>(rows + o)) << 2);
    store<f32>(at, load<f32>(at) + load<f32>(g + o));
  }
  const bytes = (<usize>Vpad) << 2;
  for (let m = 0; m < M; m++) {
    const row = logits + <usize>m * bytes;
    const weight = -load<f32>(total + ((<usize>m) << 2));
    if (weight == 0) {
      memory.fill(row, 0, bytes);
      continue;
    }
    const w = f32x4.splat(weight);
    const shift = v128.load32_splat(lse + ((<usize>m) << 2));
    for (let i: usize = 0; i < bytes; i += 32) {
      const a = f32x4.mul(w, exp4(f32x4.sub(v128.load(row + i), shift)));
      const b = f32x4.mul(w, exp4(f32x4.sub(v128.load(row + i, 16), shift)));
      v128.store(row + i, a);
      v128.store(row + i, b, 16);
    }
    for (let i = V; i < Vpad; i++) store<f32>(row + ((<usize>i) << 2), 0);
  }
  for (let i = 0; i < n; i++) {
    const o = (<usize>i) << 2;
    const at = logits + ((<usize>(load<i32>(rows + o) * Vpad + load<i32>(targets + o))) << 2);
    store<f32>(at, load<f32>(at) + load<f32>(g + o));
  }
}
