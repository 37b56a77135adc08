/** Fills cos (half floats) then sin (half floats) for each position 0 … count−1; `half` pairs rotate, θ_i = base^(−i/half). */
export function ropeTable(table: usize, count: i32, half: i32, base: f64): void {
  for (let p = 0; p < count; p++) {
    for (let i = 0; i < half; i++) {
      const angle = <f64>p * Math.exp((-Math.log(base) * <f64>i) / <f64>half);
      const at = table + ((<usize>(p * 2 * half + i)) << 2);
      store<f32>(at, <f32>Math.cos(angle));
      store<f32>(at + ((<usize>half) << 2), <f32>Math.sin(angle));
    }
  }
}

/**
 * Rotates the first 2·half dimensions of every head of q and k in place (dimension i with i + half). Rows of `qkv` hold
 * q, k, v of width d each; `positions` is i32 per row. `inverse` applies the transpose, which is the backward pass.
 */
export function rope(
  M: i32, d: i32, headWidth: i32,
  qkv: usize, positions: usize, table: usize, half: i32,
  inverse: i32,
): void {
  const halfBytes = (<usize>half) << 2;
  const sign = f32x4.splat(inverse ? -1 : 1);
  for (let m = 0; m < M; m++) {
    const t = table + <usize>load<i32>(positions + ((<usize>m) << 2)) * 2 * halfBytes;
    const row = qkv + <usize>m * ((<usize>d * 3) << 2);
    for (let h = 0; h < 2 * d; h += headWidth) {
      const a = row + ((<usize>h) << 2);
      for (let i: usize = 0; i < halfBytes; i += 16) {
        const c = v128.load(t + i);
        const s = f32x4.mul(v128.load(t + halfBytes + i), sign);
        const x = v128.load(a + i);
        const y = v128.load(a + halfBytes + i);
        v128.store(a + i, f32x4.sub(f32x4.mul(x, c), f32x4.mul(y, s)));
        v128.store(a + halfBytes + i, f32x4.add(f32x4.mul(x, s), f32x4.mul(y, c)));
      }
    }
  }
}
