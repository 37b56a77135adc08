/** Σ x² over n floats (a multiple of 4), in double precision. */
export function squaredNorm(n: i32, x: usize): f64 {
  const end = x + ((<usize>n) << 2);
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (; x < end; x += 16) {
    const v = v128.load(x);
    const a = f64x2.promote_low_f32x4(v);
    const b = f64x2.promote_low_f32x4(v128.shuffle<f32>(v, v, 2, 3, 2, 3));
    low = f64x2.add(low, f64x2.mul(a, a));
    high = f64x2.add(high, f64x2.mul(b, b));
  }
  const s = f64x2.add(low, high);
  return f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1);
}

/**
 * One AdamW step number `t` (from 1) on n floats (a multiple of 8); gradients are multiplied by `scale` first (clipping)
 * and are zero afterwards. Decoupled decay: w −= lr·(m̂/(√v̂ + ε) + decay·w).
 */
export function adamw(
  n: i32, w: usize, g: usize, m: usize, v: usize, t: f64,
  lr: f64, beta1: f64, beta2: f64, epsilon: f64, decay: f64, scale: f64,
): void {
  const b1 = f32x4.splat(<f32>beta1);
  const b2 = f32x4.splat(<f32>beta2);
  const c1 = f32x4.splat(<f32>(1 - beta1));
  const c2 = f32x4.splat(<f32>(1 - beta2));
  const rate = f32x4.splat(<f32>(lr / (1 - Math.pow(beta1, t))));
  const correct = f32x4.splat(<f32>(1 / (1 - Math.pow(beta2, t))));
  const eps = f32x4.splat(<f32>epsilon);
  const keep = f32x4.splat(<f32>(1 - lr * decay));
  const factor = f32x4.splat(<f32>scale);
  const bytes = (<usize>n) << 2;
  for (let i: usize = 0; i < bytes; i += 16) {
    const grad = f32x4.mul(v128.load(g + i), factor);
    const first = f32x4.add(f32x4.mul(b1, v128.load(m + i)), f32x4.mul(c1, grad));
    const second = f32x4.add(f32x4.mul(b2, v128.load(v + i)), f32x4.mul(c2, f32x4.mul(grad, grad)));
    const root = f32x4.add(f32x4.sqrt(f32x4.mul(second, correct)), eps);
    v128.store(w + i, f32x4.sub(f32x4.mul(v128.load(w + i), keep), f32x4.div(f32x4.mul(rate, first), root)));
    v128.store(m + i, first);
    v128.store(v + i, second);
    v128.store(g + i, f32x4.splat(0));
  }
}
