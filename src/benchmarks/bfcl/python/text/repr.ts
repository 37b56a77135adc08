/** `repr` and `str` of Python. */
import { Bytes, Complex, Dict, Ellipsis, type Value } from '../value.ts';

/** `repr(value)`. */
export function repr(value: Value): string {
  switch (typeof value) {
    case 'string':
      return stringRepr(value);
    case 'bigint':
      return value.toString();
    case 'number':
      return floatRepr(value);
    case 'boolean':
      return value ? 'True' : 'False';
    default:
      return objectRepr(value);
  }
}

/** `str(value)`. */
export const str = (value: Value): string => (typeof value === 'string' ? value : repr(value));

function objectRepr(value: Extract<Value, object | null>): string {
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  if (value instanceof Dict) return `{${Array.from(value, ([key, item]) => `${repr(key)}: ${repr(item)}`).join(', ')}}`;
  if (value instanceof Ellipsis) return 'Ellipsis';
  if (value instanceof Bytes) return bytesRepr(value);
  if (value instanceof Complex) return complexRepr(value);
  return `(${value.items.map(repr).join(', ')}${value.items.length === 1 ? ',' : ''})`;
}

/** Python and JavaScript agree on a float's shortest digits, not on how they are written. */
export function floatRepr(value: number): string {
  const text = floatDigits(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** The same without the `.0` of a whole number. */
function floatDigits(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e16)) return String(value);
  return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2');
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

/** Of a text, with the quotes that Python would choose. */
export function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\\p{C}\p{Z}]/gu, (character) => escapes[character] ?? unprintable(character));
  return `${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
}

/** How a character is written that cannot be printed. */
export function unprintable(character: string): string {
  if (character === ' ') return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

function bytesRepr({ latin1 }: Bytes): string {
  const quote = latin1.includes("'") && !latin1.includes('"') ? '"' : "'";
  const escaped = latin1.replace(/[\\\t\n\r]/g, (one) => escapes[one] ?? one).replace(/[^ -~]/g, unprintable);
  return `b${quote}${quote === "'" ? escaped.replaceAll("'", "\\'") : escaped}${quote}`;
}

function complexRepr({ real, imaginary }: Complex): string {
  if (Object.is(real, 0)) return `${floatDigits(imaginary)}j`;
  const sign = imaginary < 0 || Object.is(imaginary, -0) ? '' : '+';
  return `(${floatDigits(real)}${sign}${floatDigits(imaginary)}j)`;
}
