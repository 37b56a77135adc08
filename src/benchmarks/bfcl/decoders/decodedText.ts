/** Decoded calls as JSON text. */
import type { Decoded } from './decode.ts';
import { floatRepr, repr, str } from '../python/text/repr.ts';
import { Bytes, Complex, Dict, Ellipsis, Tuple, type Value } from '../python/value.ts';
import type { Language } from './language.ts';

/**
 * `{"decodes", "decoded"}`, as Python's `json` would write the official program's result: 5 and 5.0 stay apart, tuples are
 * lists, NaN and Infinity stand bare, keys that are no texts become them. Bytes and complex numbers, which JSON has not, are
 * the text that Python prints. What decodes to no list is `{}` (Java) or `null` (JavaScript).
 */
export function decodedText(decoded: Decoded, language: Language): string {
  if (decoded.kind === 'fault') return '{"decodes":false,"decoded":null}';
  if (decoded.kind === 'none') return `{"decodes":true,"decoded":${language === 'java' ? '{}' : 'null'}}`;
  const calls = decoded.calls.map(({ name, parameters }) => `{${JSON.stringify(name)}:${valueText(parameters)}}`);
  return `{"decodes":true,"decoded":[${calls.join(',')}]}`;
}

function valueText(value: Value): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return floatText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (value instanceof Tuple) return `[${value.items.map(valueText).join(',')}]`;
  if (value instanceof Dict) {
    return `{${Array.from(value, ([key, item]) => `${JSON.stringify(keyText(key))}:${valueText(item)}`).join(',')}}`;
  }
  if (value instanceof Bytes || value instanceof Complex || value instanceof Ellipsis)
    return JSON.stringify(repr(value));
  return JSON.stringify(value);
}

function keyText(key: Value): string {
  return key === null || typeof key === 'boolean' ? JSON.stringify(key) : str(key);
}

function floatText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? floatRepr(value) : value > 0 ? 'Infinity' : '-Infinity';
}
