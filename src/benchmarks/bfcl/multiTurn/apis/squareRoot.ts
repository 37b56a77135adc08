/** Square roots to any number of digits, as Python's `decimal` gives and prints them. */
import { order } from '../../python/evaluate.ts';
import { exactly } from '../../python/float.ts';
import { PythonFault } from '../../python/fault.ts';
import { kindOf, type Value } from '../../python/value.ts';
import { failure } from '../api.ts';
import { isReal } from '../values.ts';

const unusable = 'Input must be a number or computation resulted in an invalid operation';

/** The official program's text for `{'result': sqrt(number)}` at a number of digits. @throws PythonFault */
export function squareRootText(number: Value, precision: Value): Value {
  if (!isReal(number)) return failure(unusable);
  if (order(number, 0n) < 0) return failure('Cannot calculate square root of a negative number');
  if (typeof precision !== 'bigint' && typeof precision !== 'boolean') return failure(unusable);
  const digits = Number(precision);
  if (digits < 1) throw new PythonFault('value', 'valid range for prec is [1, MAX_PREC]');
  if (digits > 100_000) throw new PythonFault('value', `too many digits for a ${kindOf(number)}`);
  if (typeof number === 'number' && !Number.isFinite(number)) {
    return `{'result': Decimal('${Number.isNaN(number) ? 'NaN' : 'Infinity'}')}`;
  }
  return `{'result': Decimal('${root(...decimalOf(number), digits)}')}`;
}

/** As `coefficient × 10^exponent`, exactly. */
function decimalOf(number: boolean | bigint | number): [coefficient: bigint, exponent: number] {
  if (typeof number !== 'number') return [BigInt(number), 0];
  const [mantissa, scale] = exactly(number);
  return scale >= 0 ? [mantissa << BigInt(scale), 0] : [mantissa * 5n ** BigInt(-scale), scale];
}

function root(coefficient: bigint, exponent: number, digits: number): string {
  const ideal = Math.floor(exponent / 2);
  if (coefficient === 0n) return written(0n, ideal);
  // As many digits as asked for and two more, from an even power of ten.
  const length = coefficient.toString().length;
  let shift = Math.max(2 * (digits + 2) - length, 0);
  if ((exponent - shift) % 2 !== 0) shift += 1;
  const scaled = coefficient * 10n ** BigInt(shift);
  const floor = squareRoot(scaled);
  const at = (exponent - shift) / 2;
  if (floor * floor === scaled) return exactRoot(floor, at, ideal, digits);
  const extra = floor.toString().length - digits;
  const unit = 10n ** BigInt(extra);
  const cut = floor / unit;
  // The cut-off part is never exactly a half: the root is irrational.
  const up = (floor - cut * unit) * 2n >= unit ? cut + 1n : cut;
  return normal(up, at + extra, digits);
}

/** An exact root has the ideal exponent if its digits allow. */
function exactRoot(value: bigint, exponent: number, ideal: number, digits: number): string {
  let [coefficient, at] = [value, exponent];
  while (at < ideal && coefficient % 10n === 0n) [coefficient, at] = [coefficient / 10n, at + 1];
  const extra = coefficient.toString().length - digits;
  if (extra <= 0) return written(coefficient, at);
  const unit = 10n ** BigInt(extra);
  const floor = coefficient / unit;
  const rest = (coefficient - floor * unit) * 2n;
  return normal(rest > unit || (rest === unit && floor % 2n === 1n) ? floor + 1n : floor, at + extra, digits);
}

/** Rounding up may have made a digit more. */
const normal = (coefficient: bigint, exponent: number, digits: number): string =>
  coefficient.toString().length > digits ? written(coefficient / 10n, exponent + 1) : written(coefficient, exponent);

function squareRoot(value: bigint): bigint {
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (guess + value / guess) / 2n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** `str(Decimal)`. */
function written(coefficient: bigint, exponent: number): string {
  const digits = coefficient.toString();
  const adjusted = exponent + digits.length - 1;
  if (exponent > 0 || adjusted < -6) {
    const point = digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
    return `${point}E${adjusted < 0 ? '-' : '+'}${Math.abs(adjusted)}`;
  }
  if (exponent === 0) return digits;
  const padded = digits.padStart(1 - exponent, '0');
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
