/** Deterministic random numbers and central differences for gradient checks. */
import assert from 'node:assert/strict';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

/** mulberry32: uniform in [0, 1). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `count` single-precision numbers, uniform in [−1, 1). */
export function randomFloats(count: number, random: () => number): Float32Array {
  return Float32Array.from({ length: count }, () => random() * 2 - 1);
}

export function randomInts(count: number, below: number, random: () => number): number[] {
  return Array.from({ length: count }, () => Math.floor(random() * below));
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? outOfRange()) * (b[i] ?? outOfRange());
  return sum;
}

/** Central difference of `f` in x[i]. Divides by the step that single precision really took. */
function slope(f: (x: Float32Array) => number, x: Float32Array, i: number, step: number): number {
  const up = x.slice();
  const down = x.slice();
  up[i] = (x[i] ?? outOfRange()) + step;
  down[i] = (x[i] ?? outOfRange()) - step;
  return (f(up) - f(down)) / ((up[i] ?? outOfRange()) - (down[i] ?? outOfRange()));
}

/** ‖a − b‖ ≤ tolerance·‖b‖: single entries may be noise, the vector may not. */
export function assertClose(a: readonly number[], b: readonly number[], tolerance: number, what: string): void {
  const difference = Math.hypot(...a.map((value, i) => value - (b[i] ?? NaN)));
  const size = Math.hypot(...b);
  assert.ok(size > 0, `${what}: the reference is zero, so nothing was checked`);
  assert.ok(
    difference <= tolerance * size,
    `${what}: relative error ${(difference / size).toExponential(2)} is over ${tolerance}`,
  );
}

/** Checks ∂f/∂x at `count` random places against central differences. */
export function checkGradient(
  what: string,
  f: (x: Float32Array) => number,
  x: Float32Array,
  gradient: ArrayLike<number>,
  { count = 24, step = 1e-2, tolerance = 5e-3, seed = 1 } = {},
): void {
  const random = generator(seed);
  const places = randomInts(Math.min(count, x.length * 4), x.length, random);
  assertClose(
    places.map((i) => gradient[i] ?? NaN),
    places.map((i) => slope(f, x, i, step)),
    tolerance,
    what,
  );
}
