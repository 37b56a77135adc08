import { exp4 } from './math';

/**
 * Tanh form of GELU: u·σ(2√(2/π)(u + 0.044715u³)) into y. With `keep`, u is overwritten by the derivative, which is all
 * that the backward pass needs. n is a multiple of 4.
 */
export function gelu(n: i32, u: usize, y: usize, keep: i32): void {
  const end = u + ((<usize>n) << 2);
  const one = f32x4.splat(1);
  for (; u < end; u += 16, y += 16) {
    const x = v128.load(u);
    const cube = f32x4.mul(f32x4.splat(0.044715), f32x4.mul(x, x));
    const z = f32x4.mul(f32x4.mul(f32x4.splat(1.5957691216), x), f32x4.add(one, cube));
    const s = f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(z))));
    v128.store(y, f32x4.mul(x, s));
    if (keep) {
      const slope = f32x4.mul(f32x4.splat(1.5957691216), f32x4.add(one, f32x4.mul(f32x4.splat(3), cube)));
      const t = f32x4.mul(f32x4.mul(x, slope), f32x4.mul(s, f32x4.sub(one, s)));
      v128.store(u, f32x4.add(s, t));
    }
  }
}

/** dy ← dy · derivative, element by element. */
export function geluBackward(n: i32, dy: usize, derivative: usize): void {
  const end = dy + ((<usize>n) << 2);
  for (; dy < end; dy += 16, derivative += 16) {
    v128.store(dy, f32x4.mul(v128.load(dy), v128.load(derivative)));
  }
}
