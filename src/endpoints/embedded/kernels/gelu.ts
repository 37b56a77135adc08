import { exp4 } from './math';

/** 0.044715, 2√(2/π), 1, 3: in memory for the reason given in math.ts. */
const TABLE = memory.data<f32>([0.044715, 1.5957691216, 1.0, 3.0]);

/**
 * Tanh form of GELU: u·σ(2√(2/π)(u + 0.044715u³)) into y. With `keep`, u is overwritten by the derivative, which is all
 * that the backward pass needs. n is a multiple of 8.
 */
export function gelu(n: i32, u: usize, y: usize, keep: i32): void {
  const end = u + ((<usize>n) << 2);
  if (keep) {
    for (; u < end; u += 32, y += 32) {
      const a = v128.load(u), b = v128.load(u, 16);
      const cubeA = cubic(a), cubeB = cubic(b);
      const sA = sigmoid(a, cubeA), sB = sigmoid(b, cubeB);
      const slopeA = derivative(a, cubeA, sA), slopeB = derivative(b, cubeB, sB);
      v128.store(y, f32x4.mul(a, sA));
      v128.store(y, f32x4.mul(b, sB), 16);
      v128.store(u, slopeA);
      v128.store(u, slopeB, 16);
    }
  } else {
    for (; u < end; u += 32, y += 32) {
      const a = v128.load(u), b = v128.load(u, 16);
      const sA = sigmoid(a, cubic(a)), sB = sigmoid(b, cubic(b));
      v128.store(y, f32x4.mul(a, sA));
      v128.store(y, f32x4.mul(b, sB), 16);
    }
  }
}

// @ts-ignore: decorator
@inline
function cubic(x: v128): v128 {
  return f32x4.mul(v128.load32_splat(TABLE), f32x4.mul(x, x));
}

// @ts-ignore: decorator
@inline
function sigmoid(x: v128, cube: v128): v128 {
  const one = v128.load32_splat(TABLE, 8);
  const z = f32x4.mul(f32x4.mul(v128.load32_splat(TABLE, 4), x), f32x4.add(one, cube));
  return f32x4.div(one, f32x4.add(one, exp4(f32x4.neg(z))));
}

// @ts-ignore: decorator
@inline
function derivative(x: v128, cube: v128, s: v128): v128 {
  const one = v128.load32_splat(TABLE, 8);
  const slope = f32x4.add(one, f32x4.mul(v128.load32_splat(TABLE, 12), cube));
  const rise = f32x4.mul(f32x4.mul(v128.load32_splat(TABLE, 4), x), slope);
  return f32x4.add(s, f32x4.mul(rise, f32x4.mul(s, f32x4.sub(one, s))));
}

/** dy ← dy · derivative, element by element. */
export function geluBackward(n: i32, dy: usize, derivative: usize): void {
  const end = dy + ((<usize>n) << 2);
  for (; dy < end; dy += 32, derivative += 32) {
    const a = f32x4.mul(v128.load(dy), v128.load(derivative));
    const b = f32x4.mul(v128.load(dy, 16), v128.load(derivative, 16));
    v128.store(dy, a);
    v128.store(dy, b, 16);
  }
}
