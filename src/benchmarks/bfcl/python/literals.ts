/** Values of Python's literals. */
import { PythonFault } from './fault.ts';
import { Bytes, Complex, type Value } from './value.ts';

/** Of a decimal whole number, past which Python does not read it. */
const mostDigits = 4300;

/** @throws PythonFault */
export function numberOf(text: string): Value {
  const digits = text.replaceAll('_', '');
  if (/^0[xXoObB]/.test(digits)) return BigInt(digits.toLowerCase());
  if (/[jJ]$/.test(digits)) return new Complex(0, Number(digits.slice(0, -1)));
  if (/[.eE]/.test(digits)) return Number(digits);
  if (digits.length > mostDigits) throw new PythonFault('syntax', 'too many digits');
  return BigInt(digits);
}

/** A string token taken apart. */
export interface StringToken {
  /** The letters before the quote, in lower case. */
  prefix: string;
  body: string;
}

export function takeApart(token: string): StringToken {
  const start = token.search(/["']/);
  const quotes = /^("""|''')/.test(token.slice(start)) ? 3 : 1;
  return { prefix: token.slice(0, start).toLowerCase(), body: token.slice(start + quotes, token.length - quotes) };
}

/** The text of a string that is no f-string. @throws PythonFault */
export const textOf = ({ prefix, body }: StringToken): string =>
  prefix.includes('r') || !body.includes('\\') ? body : body.replace(textEscape, unescapeText);

/** @throws PythonFault */
export function bytesOf({ prefix, body }: StringToken): Bytes {
  if (!ascii.test(body)) throw new PythonFault('syntax', 'bytes can only contain ASCII literal characters');
  return new Bytes(prefix.includes('r') ? body : body.replace(byteEscape, unescapeByte));
}

const ascii = /^\p{ASCII}*$/u;
const hex = '[0-9a-fA-F]';
const textEscape = new RegExp(`\\\\(?:[0-7]{1,3}|x(?:${hex}{2})?|u(?:${hex}{4})?|U(?:${hex}{8})?|N|[^])`, 'g');
const byteEscape = new RegExp(`\\\\(?:[0-7]{1,3}|x(?:${hex}{2})?|[^])`, 'g');
const plain: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescapeText(escape: string): string {
  const letter = escape.charAt(1);
  if (letter >= '0' && letter <= '7') return String.fromCharCode(parseInt(escape.slice(1), 8));
  if (letter === 'x' || letter === 'u' || letter === 'U') return String.fromCodePoint(point(escape));
  // Names of characters would take the whole of Unicode's table of them.
  if (letter === 'N') throw new PythonFault('syntax', 'a character by its name');
  return plain[letter] ?? escape;
}

function unescapeByte(escape: string): string {
  const letter = escape.charAt(1);
  if (letter >= '0' && letter <= '7') return String.fromCharCode(parseInt(escape.slice(1), 8) % 256);
  return letter === 'x' ? String.fromCharCode(point(escape)) : (plain[letter] ?? escape);
}

function point(escape: string): number {
  const code = parseInt(escape.slice(2), 16);
  if (!(code <= 0x10ffff)) throw new PythonFault('syntax', 'a truncated escape');
  return code;
}
