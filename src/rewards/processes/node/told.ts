/**
 * A result as plain data that the other side checks. Only the known fields are read, each once, so that getters, cycles
 * and proxies do no harm; values outside JSON become a message.
 */
import { substring } from './own.ts';

const { isArray } = Array;
const { keys } = Object;
const { isFinite } = Number;
const { get } = Reflect;
const text = String;
const most = 200;
const longest = 10_000;

type Told = string | number | boolean | null | undefined | { not: string };

function told(value: unknown): Told {
  switch (typeof value) {
    case 'boolean':
    case 'undefined':
      return value;
    case 'string':
      return value.length > longest ? substring(value, 0, longest) : value;
    case 'number':
      return isFinite(value) ? value : { not: text(value) };
    case 'object':
      return value === null ? null : { not: isArray(value) ? 'a list' : 'an object' };
    default:
      return { not: `a ${typeof value}` };
  }
}

function parts(value: unknown): Told | Record<string, Told> {
  if (typeof value !== 'object' || value === null || isArray(value)) return told(value);
  const names = keys(value);
  if (names.length > most) return { not: `${names.length} parts, of which ${most} may be` };
  const all: Record<string, Told> = {};
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== undefined) all[name] = told(get(value, name));
  }
  return all;
}

/** A reward function's result. @throws any error of its getters */
export function toldResult(value: unknown): unknown {
  if (value === undefined) return { not: 'undefined' };
  if (typeof value !== 'object' || value === null || isArray(value)) return told(value);
  return {
    success: told(get(value, 'success')),
    reward: told(get(value, 'reward')),
    parts: parts(get(value, 'parts')),
    note: told(get(value, 'note')),
  };
}

const { parse, stringify } = JSON;
const largest = 2_000_000;

/** JSON has no such number, and would pass it on as null. */
const finite = (_: string, value: unknown): unknown =>
  typeof value === 'number' && !isFinite(value) ? { not: text(value) } : value;

/** The result of a function that is called by its name, as JSON. @throws TypeError for other values, and for too large ones */
export function toldValue(value: unknown): unknown {
  if (value === undefined) return { not: 'undefined' };
  const json: unknown = stringify(value, finite);
  if (typeof json !== 'string') return { not: `a ${typeof value}` };
  if (json.length > largest)
    throw new TypeError(`It gave ${json.length} characters of JSON, of which ${largest} may be.`);
  return parse(json);
}
