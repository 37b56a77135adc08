/** A model's text as the calls that are executed: the official program writes what it decoded as Python again. */
import type { Call } from '../call.ts';
import { decode } from '../decoders/decode.ts';
import { PythonFault } from '../python/fault.ts';
import { repr, str } from '../python/text/repr.ts';
import { Dict, type Value } from '../python/value.ts';

/** Null for a text without a call that can be read: it ends the turn. */
export function executableCalls(text: string): string[] | null {
  const decoded = decode(text, 'python', unread);
  if (decoded.kind !== 'calls' || decoded.calls.length === 0) return null;
  try {
    return decoded.calls.map(({ name, parameters }) => callText(name, parameters));
  } catch (error) {
    if (error instanceof PythonFault) return null;
    throw error;
  }
}

function unread(): never {
  throw new Error('Unreachable: Python is read without tree-sitter.');
}

const callText = (name: Call['name'], parameters: Dict): string =>
  `${name}(${Array.from(parameters, ([key, value]) => `${str(key)}=${valueText(value)}`).join(', ')})`;

/** A dict whose values are all dicts is taken for a call. @throws PythonFault for the empty one, which names none */
function valueText(value: Value): string {
  if (!(value instanceof Dict)) return repr(value);
  const entries = Array.from(value);
  const calls = entries.flatMap(([key, inner]) => (inner instanceof Dict ? [{ name: str(key), inner }] : []));
  if (calls.length < entries.length) {
    return `{${entries.map(([key, inner]) => `'${str(key)}': ${valueText(inner)}`).join(', ')}}`;
  }
  const [first] = calls;
  if (first === undefined) throw new PythonFault('value', 'list index out of range');
  return callText(first.name, first.inner);
}
