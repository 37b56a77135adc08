/** From Java's source text to values. What does not have its type's form stays a text. */
import { strip } from '../../python/text.ts';
import { OfficialStop } from '../officialStop.ts';
import { pythonPattern } from '../patterns.ts';
import { floatOf, intOf } from '../python/text/numberText.ts';
import { Dict, type Value } from '../python/value.ts';

const whole = pythonPattern(String.raw`^-?\d+$`);
const long = pythonPattern(String.raw`^-?\d+[lL]$`);
const double = pythonPattern(String.raw`^-?\d+(\.\d+)?([eE][+-]?\d+)?$`);
const float = pythonPattern(String.raw`^-?\d+(\.\d+)?([eE][+-]?\d+)?[fF]$`);
const array = pythonPattern(String.raw`new\s+\w+\[\]\s*\{(.*?)\}`);
const listed = pythonPattern(String.raw`new\s+ArrayList<\w*>\(Arrays\.asList\((.+?)\)\)`);
const filled = pythonPattern(String.raw`new\s+ArrayList<\w*>\(\)\s*\{\{\s*(.+?)\s*\}\}`, 's');
const added = pythonPattern(String.raw`add\((.+?)\)`, 'g');
const emptyList = pythonPattern(String.raw`new\s+ArrayList<\w*>\(\)`);
const map = pythonPattern(String.raw`new\s+HashMap<.*?>\s*\(\)\s*\{\s*\{?\s*(.*?)\s*\}?\s*\}`, 's');
const entry = pythonPattern(String.raw`put\("(.*?)",\s*(.*?)\)`, 'g');
const emptyMap = pythonPattern(String.raw`new\s+HashMap<.*?>\s*\(\)`);

/** @param elements type of a collection's elements, null when none is known @throws OfficialStop */
export function convertJava(text: string, type: string, elements: string | null): Value {
  switch (type) {
    case 'byte':
    case 'short':
    case 'integer':
      return whole().test(text) ? int(text) : text;
    case 'long':
      return long().test(text) ? int(text.replace(/[lL](?=\n?$)/, '')) : text;
    case 'double':
      return double().test(text) ? floatOf(text) : text;
    case 'float':
      return float().test(text) ? floatOf(text.replace(/[fF](?=\n?$)/, '')) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    case 'Array':
      return arrayOf(text, elements);
    case 'ArrayList':
      return listOf(text, elements);
    case 'HashMap':
      return mapOf(text);
    case 'String':
    case 'char':
    case 'any':
      return text;
    default:
      throw new OfficialStop(`values of type ${type} cannot be read`);
  }
}

/** @throws OfficialStop for more digits than Python reads */
function int(text: string): bigint {
  const value = intOf(text);
  if (value === null) throw new OfficialStop('a whole number has too many digits');
  return value;
}

/** Without the first and the last character. */
export const inner = (text: string): string => Array.from(text).slice(1, -1).join('');

function arrayOf(text: string, elements: string | null): Value {
  const found = array().exec(text)?.[1];
  if (found === undefined) return text;
  const parts = found.split(',').map(strip);
  return parts.filter((part) => part !== '').map((part) => element(part, elements));
}

const element = (part: string, type: string | null): Value =>
  type === null ? byAppearance(part) : convertJava(part, type, null);

function listOf(text: string, elements: string | null): Value {
  const item = (part: string): Value =>
    elements === 'char' || elements === 'String' ? inner(part) : element(part, elements);
  const list = listed().exec(text)?.[1];
  if (list !== undefined) return list.split(',').map((part) => item(strip(part)));
  const body = filled().exec(text)?.[1];
  if (body !== undefined) return Array.from(body.matchAll(added()), ([, part]) => item(strip(part ?? '')));
  return emptyList().test(text) ? [] : text;
}

function mapOf(text: string): Value {
  const body = map().exec(text)?.[1];
  if (body === undefined) return emptyMap().test(text) ? new Dict() : text;
  return Dict.of(Array.from(body.matchAll(entry()), ([, key, value]) => [key ?? '', byAppearance(strip(value ?? ''))]));
}

function byAppearance(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.startsWith('"') && text.endsWith('"')) return inner(text);
  if (long().test(text)) return int(text.slice(0, -1));
  if (float().test(text)) return floatOf(text.replace(/[fF](?=\n?$)/, ''));
  return intOf(text) ?? floatOf(text) ?? text;
}
