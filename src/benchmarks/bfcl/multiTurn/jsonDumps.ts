/** `json.dumps` of Python. */
import { floatRepr, repr } from '../python/text/repr.ts';
import { Bytes, Complex, Dict, Ellipsis, Tuple, type Value } from '../python/value.ts';

/** Null for what JSON cannot hold. */
export function jsonDumps(value: Value): string | null {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return float(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Dict)
    return joined(
      '{',
      Array.from(value, ([key, item]) => member(key, item)),
      '}',
    );
  if (value instanceof Bytes || value instanceof Complex || value instanceof Ellipsis) return null;
  const items = value instanceof Tuple ? value.items : value;
  return joined('[', items.map(jsonDumps), ']');
}

function joined(open: string, parts: readonly (string | null)[], close: string): string | null {
  return parts.includes(null) ? null : `${open}${parts.join(', ')}${close}`;
}

function member(key: Value, value: Value): string | null {
  const text = jsonDumps(value);
  const name = nameOf(key);
  return text === null || name === null ? null : `${quoted(name)}: ${text}`;
}

function nameOf(key: Value): string | null {
  if (typeof key === 'string') return key;
  if (typeof key === 'number') return float(key);
  if (key === null || typeof key === 'boolean') return String(key);
  return typeof key === 'bigint' ? repr(key) : null;
}

function float(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? floatRepr(value) : value > 0 ? 'Infinity' : '-Infinity';
}

/** In ASCII alone. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(/[\u007f-\uffff]/g, (unit) =>
    unit === '\u007f' ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
