/** Vector exponential: Cephes' expf polynomial, about 1 ulp; arguments are clamped to [-87, 88]. */
// @ts-ignore: decorator
@inline
export function exp4(x: v128): v128 {
  const magic = f32x4.splat(12582912.0);
  const clamped = f32x4.pmin(f32x4.pmax(x, f32x4.splat(-87.0)), f32x4.splat(88.0));
  // Adding 1.5·2^23 rounds to the nearest integer and leaves it in the low mantissa bits.
  const biased = f32x4.add(f32x4.mul(clamped, f32x4.splat(1.44269504088896341)), magic);
  const n = f32x4.sub(biased, magic);
  let r = f32x4.sub(clamped, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.add(r, f32x4.mul(n, f32x4.splat(2.12194440e-4)));
  let p = f32x4.splat(1.9875691500e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1.0));
  const scale = i32x4.add(i32x4.shl(biased, 23), i32x4.splat(0x3f800000));
  return f32x4.mul(p, scale);
}

// @ts-ignore: decorator
@inline
export function sum4(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

// @ts-ignore: decorator
@inline
export function max4(v: v128): f32 {
  return max(
    max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)),
    max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)),
  );
}
