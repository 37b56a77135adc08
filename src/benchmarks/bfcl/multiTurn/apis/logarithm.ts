/** Logarithms to any number of digits, as the library `mpmath` gives and prints them. */
import { order } from '../../python/evaluate.ts';
import { exactly } from '../../python/float.ts';
import { repr } from '../../python/text/repr.ts';
import { equal, kindOf, type Value } from '../../python/value.ts';
import { failure } from '../api.ts';
import { int, isReal } from '../values.ts';

/** `sign × mantissa × 2^exponent`. */
interface Big {
  mantissa: bigint;
  exponent: number;
}

/**
 * The time of a logarithm grows with more than the square of its digits: 30,000 take minutes, as in the official program,
 * and hold up the evaluation meanwhile. No conversation of the benchmark asks for more than 10 digits.
 */
const mostDigits = 2000;

/** The official program's text for `{'result': log(value) / log(base)}` at a number of decimal digits. */
export function logarithmText(value: Value, base: Value, precision: Value): Value {
  if (!isReal(precision)) return failure(`unsupported precision of type ${kindOf(precision)}`);
  const digits = Number(int(precision));
  if (digits > mostDigits) return failure('too many digits');
  const bits = Math.max(1, Math.round((digits + 1) * bitsPerDigit));
  const foreign = [value, base].find((one) => !isReal(one));
  if (foreign !== undefined) return failure(`cannot create mpf from ${repr(foreign)}`);
  const [above, below] = [value, base].map((one) => logarithm(one, bits));
  if (above === undefined || below === undefined || above === null || below === null) {
    return failure('only numbers above 0 have a real logarithm');
  }
  if (below === 'minus infinity') return resultText(above === below ? 'nan' : '0.0');
  if (below.mantissa === 0n) return failure('');
  if (above === 'minus infinity') return resultText(below.mantissa < 0n ? '+inf' : '-inf');
  return resultText(decimal(quotient(above, below, bits), digitsOf(bits)));
}

const resultText = (digits: string): string => `{'result': mpf('${digits}')}`;

const bitsPerDigit = 3.3219280948873626;

/** So many digits that the number can be read back. */
function digitsOf(bits: number): number {
  const digits = Math.max(1, Math.round(bits / bitsPerDigit) - 1);
  return digits === 15 ? 17 : digits + 3;
}

/** Rounded to so many bits; null for what has none that is real. */
function logarithm(value: Value, bits: number): Big | 'minus infinity' | null {
  if (!isReal(value) || (typeof value === 'number' && !Number.isFinite(value)) || order(value, 0n) < 0) return null;
  if (equal(value, 0n)) return 'minus infinity';
  if (equal(value, 1n)) return { mantissa: 0n, exponent: 0 };
  const [mantissa, exponent] = typeof value === 'number' ? exactly(value) : [BigInt(value), 0];
  return rounded(exactLogarithm({ mantissa, exponent }, bits), bits);
}

const bitsIn = (value: bigint): number => (value < 0n ? -value : value).toString(2).length;

/** With guard bits enough that rounding it is rounding the true value. */
function exactLogarithm({ mantissa, exponent }: Big, bits: number): Big {
  const length = bitsIn(mantissa);
  const power = length + exponent;
  // Near 1 the logarithm begins with zeros, as many as the number is close.
  const distance =
    power === 1 || power === 0 ? bitsIn(mantissa) - bitsIn(mantissa - (1n << BigInt(Math.max(-exponent, 0)))) : 0;
  const work = bits + 64 + Math.max(distance, 0) + bitsIn(BigInt(power === 0 ? 1 : power));
  const unit = BigInt(work);
  // In [1/2, 1) as a number of 2^-work; its logarithm by artanh.
  const scaled = work >= length ? mantissa << BigInt(work - length) : mantissa >> BigInt(length - work);
  const one = 1n << unit;
  const value = doubledArtanh(((scaled - one) << unit) / (scaled + one), work) + BigInt(power) * naturalTwo(work);
  return { mantissa: value, exponent: -work };
}

/** `2 artanh(x)`, both in units of 2^-work. */
function doubledArtanh(x: bigint, work: number): bigint {
  const unit = BigInt(work);
  const square = (x * x) >> unit;
  let [power, total] = [x, 0n];
  for (let odd = 1n; power !== 0n && power !== -1n; odd += 2n) {
    total += power / odd;
    power = (power * square) >> unit;
  }
  return 2n * total;
}

/** ln 2 = 2 artanh(1/3). */
const naturalTwo = (work: number): bigint => doubledArtanh((1n << BigInt(work)) / 3n, work);

/** To so many bits, a tie to even. */
function rounded({ mantissa, exponent }: Big, bits: number): Big {
  const size = mantissa < 0n ? -mantissa : mantissa;
  const cut = bitsIn(size) - bits;
  if (cut <= 0) return { mantissa, exponent };
  const unit = 1n << BigInt(cut);
  const floor = size / unit;
  const rest = (size - floor * unit) * 2n;
  const up = rest > unit || (rest === unit && floor % 2n === 1n) ? floor + 1n : floor;
  return { mantissa: mantissa < 0n ? -up : up, exponent: exponent + cut };
}

function quotient(top: Big, bottom: Big, bits: number): Big {
  const extra = BigInt(bits + 8 + bitsIn(bottom.mantissa));
  const scaled = top.mantissa << extra;
  const floor = scaled / bottom.mantissa;
  const isExact = floor * bottom.mantissa === scaled;
  // One bit more that stands for all that were cut off.
  const sticky =
    floor * 2n + (isExact ? 0n : floor < 0n || (floor === 0n && scaled < 0n !== bottom.mantissa < 0n) ? -1n : 1n);
  return rounded({ mantissa: sticky, exponent: top.exponent - bottom.exponent - Number(extra) - 1 }, bits);
}

/** In so many significant decimal digits, without the zeros at the end: `0.301`, `2.0`, `1.5e-7`. */
function decimal({ mantissa, exponent }: Big, digits: number): string {
  if (mantissa === 0n) return '0.0';
  const sign = mantissa < 0n ? '-' : '';
  const size = mantissa < 0n ? -mantissa : mantissa;
  const [top, bottom] = exponent >= 0 ? [size << BigInt(exponent), 1n] : [size, 1n << BigInt(-exponent)];
  let magnitude = top.toString().length - bottom.toString().length;
  if (top * 10n ** BigInt(Math.max(-magnitude, 0)) < bottom * 10n ** BigInt(Math.max(magnitude, 0))) magnitude -= 1;
  let text = digitsAt(top, bottom, digits - 1 - magnitude);
  if (text.length > digits) {
    magnitude += 1;
    text = text.slice(0, digits);
  }
  return sign + placed(text, magnitude, digits);
}

function digitsAt(top: bigint, bottom: bigint, places: number): string {
  const scaled = places >= 0 ? top * 10n ** BigInt(places) : top;
  const divisor = places >= 0 ? bottom : bottom * 10n ** BigInt(-places);
  const floor = scaled / divisor;
  return ((scaled - floor * divisor) * 2n >= divisor ? floor + 1n : floor).toString();
}

/** With an exponent outside of 10^-(a third of the digits, 5 at least) … 10^digits. */
function placed(text: string, magnitude: number, digits: number): string {
  const lowest = Math.min(-Math.trunc(digits / 3), -5);
  if (magnitude > lowest && magnitude < digits) {
    if (magnitude < 0) return trimmed(`0.${'0'.repeat(-magnitude - 1)}${text}`);
    return trimmed(`${text.slice(0, magnitude + 1)}.${text.slice(magnitude + 1)}`);
  }
  return `${trimmed(`${text.slice(0, 1)}.${text.slice(1)}`)}e${magnitude < 0 ? '-' : '+'}${Math.abs(magnitude)}`;
}

const trimmed = (text: string): string => text.replace(/0+$/, '').replace(/\.$/, '.0');
