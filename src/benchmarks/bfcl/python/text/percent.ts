/** `text % values`. */
import { PythonFault } from '../fault.ts';
import { exactly, toFloat } from '../float.ts';
import { repr, str } from './repr.ts';
import { Complex, Dict, kindOf, Tuple, type Value } from '../value.ts';

const placeholder = /%(?:\(([^()]*)\))?([-+ 0#]*)(\*|[0-9]+)?(?:\.(\*|[0-9]*))?[hlL]?([^])?/g;

/** @throws PythonFault when the values do not fit the text */
export function percentFormat(text: string, right: Value): string {
  const values = right instanceof Tuple ? [...right.items] : [right];
  const names: string[] = [];
  const next = (): Value => {
    const value = values.shift();
    if (value === undefined) throw new PythonFault('value', 'not enough arguments for format string');
    return value;
  };
  const size = (given: string | undefined): number | undefined => (given === '*' ? wholeOf(next()) : digits(given));
  const written = text.replace(
    placeholder,
    (
      _,
      name: string | undefined,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      kind = '',
    ) => {
      const [wide, exact] = [size(width), size(precision)];
      if (kind === '%') return '%';
      if (name !== undefined) names.push(name);
      return padded(
        converted(String(kind), name === undefined ? next() : member(right, name), flags, exact),
        flags,
        wide,
      );
    },
  );
  const mayRemain = names.length > 0 || right instanceof Dict || Array.isArray(right);
  if (values.length > 0 && !mayRemain)
    throw new PythonFault('value', 'not all arguments converted during string formatting');
  return written;
}

const digits = (given: string | undefined): number | undefined => (given === undefined ? undefined : Number(given));

function wholeOf(value: Value): number {
  if (typeof value !== 'bigint' || value > 10_000n) throw new PythonFault('value', '* wants int');
  return Number(value);
}

function member(values: Value, name: string): Value {
  if (!(values instanceof Dict)) throw new PythonFault('value', 'format requires a mapping');
  const found = values.get(name);
  if (found === undefined) throw new PythonFault('value', repr(name));
  return found;
}

function converted(kind: string, value: Value, flags: string, precision: number | undefined): string {
  if (kind === 's' || kind === 'r')
    return Array.from(kind === 's' ? str(value) : repr(value))
      .slice(0, precision)
      .join('');
  if ('diu'.includes(kind) && kind !== '')
    return signed(integer(value, kind), flags, (size) => size.toString().padStart(precision ?? 0, '0'));
  if (kind === 'f' || kind === 'F') return fixed(floating(value), flags, precision ?? 6);
  if (kind === 'x' || kind === 'X' || kind === 'o') return radix(kind, value, flags, precision ?? 0);
  if (kind === 'c' && typeof value === 'string' && Array.from(value).length === 1) return value;
  throw new PythonFault('value', `unsupported format character '${kind}'`);
}

function integer(value: Value, kind: string): bigint {
  if (typeof value === 'bigint' || typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'number' && Number.isFinite(value)) return BigInt(Math.trunc(value));
  throw new PythonFault('value', `%${kind} format: a real number is required, not ${kindOf(value)}`);
}

function floating(value: Value): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return toFloat(BigInt(value));
  throw new PythonFault('value', value instanceof Complex ? "can't convert complex to float" : 'must be real number');
}

function signed(value: bigint, flags: string, write: (size: bigint) => string): string {
  const sign = value < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  return sign + write(value < 0n ? -value : value);
}

function radix(kind: 'x' | 'X' | 'o', value: Value, flags: string, precision: number): string {
  if (typeof value === 'number') throw new PythonFault('value', `%${kind} format: an integer is required, not float`);
  const base = kind === 'o' ? 8 : 16;
  const prefix = flags.includes('#') ? `0${kind}` : '';
  const text = signed(integer(value, kind), flags, (size) => prefix + size.toString(base).padStart(precision, '0'));
  return kind === 'X' ? text.toUpperCase() : text;
}

/** `%.Nf` with flags: by the float's exact value, a tie to the even digit. */
export function fixed(value: number, flags: string, precision: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (!Number.isFinite(value)) return `${sign}${Number.isNaN(value) ? 'nan' : 'inf'}`;
  const [mantissa, scale] = exactly(Math.abs(value));
  const scaled = mantissa * 10n ** BigInt(precision);
  const unit = 1n << BigInt(-scale);
  const floor = scaled / unit;
  const rest = (scaled - floor * unit) * 2n;
  const rounded = rest > unit || (rest === unit && floor % 2n === 1n) ? floor + 1n : floor;
  const text = rounded.toString().padStart(precision + 1, '0');
  return precision === 0 ? sign + text : `${sign}${text.slice(0, -precision)}.${text.slice(-precision)}`;
}

function padded(text: string, flags: string, width: number | undefined): string {
  if (width === undefined) return text;
  if (width > 100_000) throw new PythonFault('value', 'too wide');
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (flags.includes('-')) return text + ' '.repeat(missing);
  if (!flags.includes('0') || !/^[-+ ]?[0-9]/.test(text)) return ' '.repeat(missing) + text;
  const sign = /^[-+ ]?/.exec(text)?.[0] ?? '';
  return sign + '0'.repeat(missing) + text.slice(sign.length);
}
