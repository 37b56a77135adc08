/** `int(text)` and `float(text)` of Python, which take any script's digits, underscores and surrounding white space. */
import { strip } from '../../../python/text.ts';

const part = '[0-9]+(?:_[0-9]+)*';
const float = new RegExp(`^[-+]?(?:${part}\\.?(?:${part})?|\\.${part})(?:[eE][-+]?${part})?$`);

/** Null where Python raises. */
export function intOf(text: string): bigint | null {
  const plain = plainDigits(text);
  if (!/^[-+]?[0-9]+(?:_[0-9]+)*$/.test(plain)) return null;
  const digits = plain.replaceAll('_', '').replace('+', '');
  return digits.length > 4300 ? null : BigInt(digits);
}

/** Null where Python raises. */
export function floatOf(text: string): number | null {
  const plain = plainDigits(text);
  const special = /^([-+]?)(inf(?:inity)?|nan)$/i.exec(plain);
  if (special !== null) {
    const size = special[2]?.toLowerCase() === 'nan' ? NaN : Infinity;
    return special[1] === '-' ? -size : size;
  }
  return float.test(plain) ? Number(plain.replaceAll('_', '')) : null;
}

const plainDigits = (text: string): string => strip(text).replace(/(?![0-9])\p{Nd}/gu, (one) => String(valueOf(one)));

/** Digits of a script stand one after the other, tens after tens. */
function valueOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (point - zero) % 10;
}
