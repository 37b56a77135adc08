/** Python's built-in functions on values, as the tools use them. */
import { binary } from '../python/arithmetic.ts';
import { isTrue, order } from '../python/evaluate.ts';
import { PythonFault } from '../python/fault.ts';
import { floatOf, intOf } from '../python/text/numberText.ts';
import { toFloat } from '../python/float.ts';
import { fixed } from '../python/text/percent.ts';
import { repr } from '../python/text/repr.ts';
import { Dict, kindOf, Tuple, type Value } from '../python/value.ts';

/** The items of a `for` loop over a value. @throws PythonFault */
export function elements(value: Value): Value[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Tuple) return [...value.items];
  if (value instanceof Dict) return value.keys();
  if (typeof value === 'string') return Array.from(value);
  throw new PythonFault('type', `'${kindOf(value)}' object is not iterable`);
}

/** `sum(values)`: from the left, starting at the int 0. @throws PythonFault */
export const sum = (values: Value): Value => elements(values).reduce((total, value) => binary('+', total, value), 0n);

/** `float(value)`. @throws PythonFault */
export function float(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return toFloat(BigInt(value));
  if (typeof value !== 'string') {
    throw new PythonFault('type', `float() argument must be a string or a real number, not '${kindOf(value)}'`);
  }
  const read = floatOf(value);
  if (read === null) throw new PythonFault('value', `could not convert string to float: '${value}'`);
  return read;
}

/** `int(value)`. @throws PythonFault */
export function int(value: Value): bigint {
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new PythonFault('value', 'cannot convert float to integer');
    return BigInt(Math.trunc(value));
  }
  const read = typeof value === 'string' ? intOf(value) : null;
  if (read === null) throw new PythonFault('value', `invalid literal for int() with base 10: ${repr(value)}`);
  return read;
}

/** `len(value)`. @throws PythonFault */
export function length(value: Value): number {
  if (value instanceof Dict) return value.size;
  if (typeof value === 'string' || Array.isArray(value) || value instanceof Tuple) return elements(value).length;
  throw new PythonFault('type', `object of type '${kindOf(value)}' has no len()`);
}

/** `left < right`. @throws PythonFault */
export const less = (left: Value, right: Value): boolean => order(left, right) < 0;
/** `left > right`. @throws PythonFault */
export const more = (left: Value, right: Value): boolean => order(left, right) > 0;

export const isFalse = (value: Value): boolean => !isTrue(value);

/** `f'{value:.2f}'`. @throws PythonFault */
export const money = (value: Value): string => fixed(float(value), '', 2);

/** `isinstance(value, (int, float))`. */
export const isReal = (value: Value): value is boolean | bigint | number =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean';

/** `round(value, decimals)`. @throws PythonFault */
export function round(value: Value, decimals: Value): Value {
  if (decimals === null) {
    if (typeof value === 'number') return Number.isFinite(value) ? BigInt(fixed(value, '', 0)) : int(value);
    return round(value, 0n);
  }
  if (typeof decimals !== 'bigint' && typeof decimals !== 'boolean') {
    throw new PythonFault('type', `'${kindOf(decimals)}' object cannot be interpreted as an integer`);
  }
  const places = Number(decimals);
  if (typeof value === 'bigint' || typeof value === 'boolean') return roundInt(BigInt(value), places);
  if (typeof value !== 'number') {
    throw new PythonFault('type', `type ${kindOf(value)} doesn't define __round__ method`);
  }
  if (!Number.isFinite(value) || places > 330) return value;
  if (places >= 0) return Number(fixed(value, '', places));
  if (places < -310) return value < 0 ? -0 : 0;
  const unit = 10 ** -places;
  const rounded = Math.round(Math.abs(value) / unit);
  const even = Math.abs(value) / unit - Math.floor(Math.abs(value) / unit) === 0.5 && rounded % 2 === 1;
  return Math.sign(value) * (even ? rounded - 1 : rounded) * unit;
}

function roundInt(value: bigint, places: number): bigint {
  if (places >= 0) return value;
  const unit = 10n ** BigInt(Math.min(-places, 5000));
  const size = value < 0n ? -value : value;
  const floor = size / unit;
  const rest = (size - floor * unit) * 2n;
  const rounded = (rest > unit || (rest === unit && floor % 2n === 1n) ? floor + 1n : floor) * unit;
  return value < 0n ? -rounded : rounded;
}
