/** Float arithmetic that Python rounds exactly, or nearly always so, and plain JavaScript does not. */
import { PythonFault } from './fault.ts';

/** `float(value)` of an int. @throws PythonFault when it is too large */
export function toFloat(value: bigint): number {
  const float = Number(value);
  if (!Number.isFinite(float)) throw new PythonFault('value', 'int too large to convert to float');
  return float;
}

/** `numerator / denominator` of ints, rounded once. @throws PythonFault */
export function divideInts(numerator: bigint, denominator: bigint): number {
  if (denominator === 0n) throw new PythonFault('value', 'division by zero');
  const ratio = ratioToFloat(numerator, denominator);
  if (!Number.isFinite(ratio)) throw new PythonFault('value', 'integer division result too large for a float');
  return ratio;
}

const isSafe = (value: bigint): boolean => value <= 9007199254740992n && value >= -9007199254740992n;

/** The float nearest to a fraction, of two equally near ones the even; ±Infinity past the largest. */
function ratioToFloat(numerator: bigint, denominator: bigint): number {
  if (isSafe(numerator) && isSafe(denominator)) return Number(numerator) / Number(denominator);
  const isNegative = numerator < 0n !== denominator < 0n;
  const [top, bottom] = [numerator < 0n ? -numerator : numerator, denominator < 0n ? -denominator : denominator];
  // As many bits as a float has; at the small end there are fewer.
  let shift = Math.min(53 - (bitsOf(top) - bitsOf(bottom)), smallest);
  if (shifted(top, shift) / shifted(bottom, -shift) >= 1n << 53n) shift -= 1;
  const [scaled, divisor] = [shifted(top, shift), shifted(bottom, -shift)];
  const floor = scaled / divisor;
  const rest = (scaled - floor * divisor) * 2n;
  const rounded = rest > divisor || (rest === divisor && floor % 2n === 1n) ? floor + 1n : floor;
  const size = Number(rounded) * 2 ** -shift;
  return isNegative ? -size : size;
}

/** The smallest float is 2 to the minus this. */
const smallest = 1074;

const shifted = (value: bigint, bits: number): bigint => (bits > 0 ? value << BigInt(bits) : value);

const bitsOf = (value: bigint): number => value.toString(2).length;

/** `base ** exponent` of floats. @throws PythonFault where Python has no float for it */
export function powFloats(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw new PythonFault('value', '0.0 cannot be raised to a negative power');
  const isExact = Number.isInteger(exponent) && Math.abs(exponent) <= 512 && Number.isFinite(base) && base !== 0;
  const power = isExact ? wholePower(base, exponent) : base === 1 || exponent === 0 ? 1 : base ** exponent;
  if (!Number.isFinite(power) && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw new PythonFault('value', "(34, 'Numerical result out of range')");
  }
  return power;
}

/** Rounded once, as the C library does nearly always, where JavaScript's own is a bit off. */
function wholePower(base: number, exponent: number): number {
  const [mantissa, scale] = exactly(base);
  const times = Math.abs(exponent);
  const top = mantissa ** BigInt(times);
  const bits = scale * times;
  const [numerator, denominator] = bits >= 0 ? [top << BigInt(bits), 1n] : [top, 1n << BigInt(-bits)];
  return exponent >= 0 ? ratioToFloat(numerator, denominator) : ratioToFloat(denominator, numerator);
}

/** A finite float as `mantissa × 2^scale`. */
export function exactly(value: number): [mantissa: bigint, scale: number] {
  let [mantissa, scale] = [value, 0];
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    scale -= 1;
  }
  return [BigInt(mantissa), scale];
}
