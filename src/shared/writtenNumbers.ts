/**
 * JSON of another language with its numbers as they were written: 12345678901234567891, 5.0 and -0.0 are other numbers
 * there than they would be once JavaScript has written them again.
 */
import { deepest, isTooDeep, parseOrUndefined } from './json.ts';

/** `JSON.stringify` writes its text (ECMAScript's "JSON.parse source text access"). */
interface WrittenNumber {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    isRawJSON(value: unknown): value is WrittenNumber;
  }
}

/**
 * Parsed JSON, where each number that would be written differently here is kept as its text; undefined for a text that is
 * no JSON. Values nested more than 200 levels deep are plain numbers, for the reviver is recursive.
 */
export function parseAsWritten(text: string): unknown {
  const value = parseOrUndefined(text);
  if (value === undefined || isTooDeep(text) || !maybeOther.test(text)) return value;
  return JSON.parse(text, (_, inner, { source = '' }) =>
    typeof inner !== 'number' || isSame(inner, source) ? inner : JSON.rawJSON(source),
  );
}

/** Fractions, exponents, negative zeros and long integers: no other number is written differently. */
const maybeOther = /[0-9][.eE][-+0-9]|-0|[0-9]{16}/;

/** A whole number beyond 2^53 is none, so that it is known as exact. */
const isSame = (value: number, source: string): boolean =>
  String(value) === source && (Number.isSafeInteger(value) || !Number.isInteger(value));

/** The same value as `JSON.parse` has it. @param depth of the value: nothing is kept as text in what is nested too deep */
export function asNumbers(value: unknown, depth = 0): unknown {
  if (JSON.isRawJSON(value)) return Number(value.rawJSON);
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((inner) => asNumbers(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asNumbers(inner, depth + 1)]));
}

/** The digits of a whole number beyond 2^53; null for everything else. */
export const longDigits = (value: unknown): string | null =>
  JSON.isRawJSON(value) && /^-?[0-9]+$/.test(value.rawJSON) ? value.rawJSON : null;
