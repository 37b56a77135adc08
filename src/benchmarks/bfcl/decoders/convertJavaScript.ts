/** From JavaScript's source text to values. What does not have its type's form stays a text. */
import { strip } from '../../python/text.ts';
import { arrayOfArrays } from '../arrayOfArrays.ts';
import { inner } from './convertJava.ts';
import { OfficialStop } from '../officialStop.ts';
import { pythonPattern } from '../patterns.ts';
import { floatOf, intOf } from '../python/text/numberText.ts';
import { Dict, type Value } from '../python/value.ts';

const whole = pythonPattern(String.raw`^-?\d+$`);
const decimal = pythonPattern(String.raw`^-?\d+(\.\d+)?$`);
const big = pythonPattern(String.raw`^-?\d+n$`);
const bracketed = pythonPattern(String.raw`\[(.*?)\]`, 'g');
const array = pythonPattern(String.raw`^(?:\[(.*?)\]|new\s+Array\((.*?)\))`);
const object = pythonPattern(String.raw`^\{(.*?)\}`);
const pair = pythonPattern(String.raw`([^:]+):\s*(.*?)(?:,\s*(?=[^,]+:)|$)`, 'g');

/** @param elements type of an array's elements, null when none is known @throws OfficialStop */
export function convertJavaScript(text: string, type: string, elements: string | null): Value {
  switch (type) {
    case 'String':
      return isQuoted(text) ? inner(text) : text;
    case 'integer':
      return whole().test(text) ? int(text) : text;
    case 'float':
      return decimal().test(text) ? floatOf(text) : text;
    case 'Bigint':
      return big().test(text) ? int(text.slice(0, text.indexOf('n'))) : text;
    case 'Boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'array':
      return arrayOf(strip(text), elements);
    case 'dict':
      return objectOf(strip(text));
    default:
      return text;
  }
}

const isQuoted = (text: string): boolean => ['"', "'"].some((quote) => text.startsWith(quote) && text.endsWith(quote));

/** @throws OfficialStop for more digits than Python reads */
function int(text: string): bigint {
  const value = intOf(text);
  if (value === null) throw new OfficialStop('a whole number has too many digits');
  return value;
}

function arrayOf(text: string, elements: string | null): Value {
  const rows = arrayOfArrays(text);
  if (rows !== null) return Array.from(rows.matchAll(bracketed()), ([, row], at) => rowOf(row ?? '', at === 0));
  const found = array().exec(text);
  const list = found?.[1] ?? found?.[2];
  if (list === undefined) return text;
  const parts = strip(list) === '' ? [] : strip(list).split(',').map(strip);
  try {
    return parts.map((part) => elementOf(part, elements));
  } catch (error) {
    if (error instanceof OfficialStop) return text;
    throw error;
  }
}

/** The first row begins with the bracket of the whole. */
function rowOf(row: string, isFirst: boolean): Value {
  const bare = strip(row);
  return (isFirst && bare.startsWith('[') ? bare.slice(1) : bare).split(',').map((part) => byAppearance(part));
}

function elementOf(part: string, type: string | null): Value {
  if (type === null) return byAppearance(part);
  return convertJavaScript(part, type, part.startsWith('"') || part.startsWith("'") ? 'String' : null);
}

function objectOf(text: string): Value {
  const content = object().exec(text)?.[1];
  if (content === undefined) return text;
  return Dict.of(
    Array.from(content.matchAll(pair()), ([, key, value]) => [
      stripQuotes(strip(key ?? '')),
      memberOf(strip(value ?? '')),
    ]),
  );
}

function memberOf(value: string): Value {
  if (value.startsWith('[') && value.endsWith(']')) return arrayOf(value, null);
  if (value.startsWith('{') && value.endsWith('}')) return objectOf(value);
  return byAppearance(stripQuotes(value));
}

const stripQuotes = (text: string): string => text.replace(/^['"]+/, '').replace(/(?<!['"])['"]+$/, '');

function byAppearance(text: string): Value {
  const bare = strip(text);
  if (bare === 'true' || bare === 'false') return bare === 'true';
  if (isQuoted(bare)) return inner(bare);
  return intOf(bare) ?? floatOf(bare) ?? bare;
}
