/** JSON read by `JSON.parse`, many times faster than by a reader of ours, as far as it loses nothing that Python keeps. */
import type { PythonValue } from './value.ts';

/** Depths and digits that Python's reader refuses (json.ts) and JSON.parse does not: with fewer brackets there are none. */
const mostBrackets = 980;
const mostDigits = 4300;
/** A float that may be whole (5.0, 5e3, or rounded). Where it stands in a text, the line is only read more slowly. */
const wholeFloat = /[[:,][ \t\n\r]*-?(?:[0-9]+\.0+(?![0-9])|[0-9.]+[eE]|[0-9.]{17})/;

/** The result of JSON.parse for a text; undefined where Python, or json.ts in its place, has to decide. */
export function quickJson(text: string): unknown {
  if (hasManyBrackets(text) || hasManyDigits(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function hasManyBrackets(text: string): boolean {
  // As many characters close them.
  if (text.length < 2 * mostBrackets) return false;
  let left = mostBrackets;
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      left -= 1;
      if (left === 0) return true;
    }
  }
  return false;
}

/** A run of so many digits has one of these places inside. */
function hasManyDigits(text: string): boolean {
  for (let at = mostDigits; at < text.length; at += mostDigits) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) return true;
  }
  return false;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values out of `quickJson` with Python's kinds. */
export class QuickValues {
  readonly #text: string;
  #hasWholeFloats: boolean | null = null;

  /** @param text in which all their numbers stand */
  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Undefined where kinds cannot be told: 5.0 has become 5, whole numbers above 2^53 are rounded, and names that are numbers
   * come first in an object.
   */
  of(value: unknown): PythonValue | undefined {
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number') return this.#number(value);
    if (Array.isArray(value)) return this.#list(value);
    return isRecord(value) ? this.#map(value) : undefined;
  }

  #number(value: number): PythonValue | undefined {
    if (!Number.isInteger(value)) return value;
    this.#hasWholeFloats ??= wholeFloat.test(this.#text);
    return Number.isSafeInteger(value) && !this.#hasWholeFloats ? BigInt(value) : undefined;
  }

  #list(values: readonly unknown[]): PythonValue[] | undefined {
    const items: PythonValue[] = [];
    for (const value of values) {
      const item = this.of(value);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  #map(members: Readonly<Record<string, unknown>>): Map<string, PythonValue> | undefined {
    const map = new Map<string, PythonValue>();
    for (const name of Object.keys(members)) {
      const first = name.charCodeAt(0);
      const item = first >= 0x30 && first <= 0x39 ? undefined : this.of(members[name]);
      if (item === undefined) return undefined;
      map.set(name, item);
    }
    return map;
  }
}
