/**
 * Constants of `exp4` in memory: V8 builds a vector constant anew at each use, which costs more than loading it.
 * Bounds, 1.5·2^23, log₂e, ln 2 in two parts, Cephes' polynomial, 1.
 */
const TABLE = memory.data<f32>([
  -87.0, 88.0, 12582912.0, 1.44269504088896341, 0.693359375, -2.1219444e-4,
  1.98756915e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1, 1.0,
]);

/** Vector exponential: Cephes' expf polynomial, about 1 ulp; arguments are clamped to [-87, 88]. */
// @ts-ignore: decorator
@inline
export function exp4(x: v128): v128 {
  const magic = v128.load32_splat(TABLE, 8);
  const clamped = f32x4.pmin(f32x4.pmax(x, v128.load32_splat(TABLE)), v128.load32_splat(TABLE, 4));
  // Adding 1.5·2^23 rounds to the nearest integer and leaves it in the low mantissa bits.
  const biased = f32x4.add(f32x4.mul(clamped, v128.load32_splat(TABLE, 12)), magic);
  const n = f32x4.sub(biased, magic);
  let r = f32x4.sub(clamped, f32x4.mul(n, v128.load32_splat(TABLE, 16)));
  r = f32x4.sub(r, f32x4.mul(n, v128.load32_splat(TABLE, 20)));
  let p = v128.load32_splat(TABLE, 24);
  p = f32x4.add(f32x4.mul(p, r), v128.load32_splat(TABLE, 28));
  p = f32x4.add(f32x4.mul(p, r), v128.load32_splat(TABLE, 32));
  p = f32x4.add(f32x4.mul(p, r), v128.load32_splat(TABLE, 36));
  p = f32x4.add(f32x4.mul(p, r), v128.load32_splat(TABLE, 40));
  p = f32x4.add(f32x4.mul(p, r), v128.load32_splat(TABLE, 44));
  const one = v128.load32_splat(TABLE, 48);
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), one);
  // The bits of 2^n: n moved to the exponent, above those of 1.
  return f32x4.mul(p, i32x4.add(i32x4.shl(biased, 23), one));
}

/** Sum of the lanes in every lane, (0 + 1) + (2 + 3). Vector steps: V8's scalar ones stall after 256-bit code. */
// @ts-ignore: decorator
@inline
export function sum4(v: v128): v128 {
  const pairs = f32x4.add(v, v128.shuffle<f32>(v, v, 1, 0, 3, 2));
  return f32x4.add(pairs, v128.shuffle<f32>(pairs, pairs, 2, 3, 0, 1));
}

/** Largest lane in every lane. */
// @ts-ignore: decorator
@inline
export function max4(v: v128): v128 {
  const pairs = f32x4.pmax(v, v128.shuffle<f32>(v, v, 1, 0, 3, 2));
  return f32x4.pmax(pairs, v128.shuffle<f32>(pairs, pairs, 2, 3, 0, 1));
}
