/** splitmix64's finaliser: a bijection whose outputs pass for independent. */
// @ts-ignore: decorator
@inline
export function mix64(x: u64): u64 {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/** Number `step` of the stream `key`, uniform in [0, 1) with 53 bits. */
// @ts-ignore: decorator
@inline
export function uniform(key: u64, step: u64): f64 {
  return <f64>(mix64(key + (step + 1) * 0x9e3779b97f4a7c15) >> 11) * (1.0 / 9007199254740992.0);
}

/** Fills n floats, uniform in [−bound, bound), from the stream at `key` (8 bytes, written by `streamKey`). */
export function fillUniform(n: i32, x: usize, bound: f64, key: usize): void {
  const stream = load<u64>(key);
  for (let i = 0; i < n; i++) store<f32>(x + ((<usize>i) << 2), <f32>((uniform(stream, <u64>i) * 2 - 1) * bound));
}
