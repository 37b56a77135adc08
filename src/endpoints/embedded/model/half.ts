import { outOfRange } from '../../../shared/outOfRange.ts';

/** IEEE half precision, for shipped weights. Exact arithmetic only, so that every machine reads the same weights. */
const scratch = new Float32Array(1);
const bits = new Uint32Array(scratch.buffer);

/** Nearest half, ties to even; magnitudes beyond 65,504 become infinite. */
export function toHalf(value: number): number {
  scratch[0] = value;
  const word = bits[0] ?? outOfRange();
  const sign = (word >>> 16) & 0x8000;
  const magnitude = word & 0x7fffffff;
  if (magnitude > 0x7f800000) return sign | 0x7e00;
  if (magnitude >= 0x477ff000) return sign | 0x7c00;
  if (magnitude < 0x38800000) {
    // Subnormal halves are multiples of 2^-24: scaling makes rounding to an integer the whole job.
    const scaled = Math.abs(scratch[0]) * 2 ** 24;
    const floor = Math.floor(scaled);
    const rest = scaled - floor;
    return sign | (floor + (rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? 1 : 0));
  }
  const rounded = magnitude + 0xfff + ((magnitude >>> 13) & 1);
  return sign | ((rounded - 0x38000000) >>> 13);
}

export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >>> 10) & 0x1f;
  const mantissa = half & 0x3ff;
  if (exponent === 0) return sign * mantissa * 2 ** -24;
  if (exponent === 31) return mantissa === 0 ? sign * Infinity : NaN;
  return sign * (1 + mantissa / 1024) * 2 ** (exponent - 15);
}
