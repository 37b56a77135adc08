import { sum4 } from './math';

/** y = g·x/√(mean x² + ε) per row of d; `ldy` floats between rows of y. `inv` keeps 1/√… for the backward pass. */
export function rmsNorm(M: i32, d: i32, x: usize, g: usize, y: usize, ldy: i32, inv: usize, epsilon: f32): void {
  const bytes = (<usize>d) << 2;
  const one = f32x4.splat(1);
  const width = f32x4.splat(<f32>d);
  const eps = f32x4.splat(epsilon);
  for (let m = 0; m < M; m++) {
    let s = f32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      const v = v128.load(x + i);
      s = f32x4.add(s, f32x4.mul(v, v));
    }
    const r = f32x4.div(one, f32x4.sqrt(f32x4.add(f32x4.div(sum4(s), width), eps)));
    store<f32>(inv, f32x4.extract_lane(r, 0));
    for (let i: usize = 0; i < bytes; i += 32) {
      const a = f32x4.mul(f32x4.mul(v128.load(x + i), r), v128.load(g + i));
      const b = f32x4.mul(f32x4.mul(v128.load(x + i, 16), r), v128.load(g + i, 16));
      v128.store(y + i, a);
      v128.store(y + i, b, 16);
    }
    x += bytes;
    y += (<usize>ldy) << 2;
    inv += 4;
  }
}

/** dx += ∂L/∂x and dg += ∂L/∂g given dy, with x and `inv` of the forward pass. */
export function rmsNormBackward(
  M: i32, d: i32,
  x: usize, g: usize, inv: usize, dy: usize, ldy: i32,
  dx: usize, dg: usize,
): void {
  const bytes = (<usize>d) << 2;
  const width = f32x4.splat(<f32>d);
  for (let m = 0; m < M; m++) {
    const r = v128.load32_splat(inv);
    let s = f32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 16) {
      const hat = f32x4.mul(v128.load(x + i), r);
      const t = f32x4.mul(v128.load(dy + i), hat);
      v128.store(dg + i, f32x4.add(v128.load(dg + i), t));
      s = f32x4.add(s, f32x4.mul(t, v128.load(g + i)));
    }
    const mean = f32x4.div(sum4(s), width);
    for (let i: usize = 0; i < bytes; i += 16) {
      const hat = f32x4.mul(v128.load(x + i), r);
      const t = f32x4.sub(f32x4.mul(v128.load(dy + i), v128.load(g + i)), f32x4.mul(hat, mean));
      v128.store(dx + i, f32x4.add(v128.load(dx + i), f32x4.mul(t, r)));
    }
    x += bytes;
    dx += bytes;
    dy += (<usize>ldy) << 2;
    inv += 4;
  }
}
