/** A stateful tool of the multi-turn categories: what can be called, and what is compared afterwards. */
import { PythonFault } from '../python/fault.ts';
import { repr } from '../python/text/repr.ts';
import { Dict, kindOf, type Value } from '../python/value.ts';
import type { LongContext } from './apis/longContext.ts';

/** An argument by its parameter's name. */
export type Given = (parameter: string) => Value;

export interface Method {
  /** Those without a default come first. */
  parameters: readonly (string | readonly [name: string, fallback: Value])[];
  /** @throws PythonFault for what Python raises */
  run(given: Given): Value;
}

export interface Api {
  readonly methods: Readonly<Record<string, Method>>;
  /** Public attributes. @throws PythonFault when they have no end */
  state(): Record<string, Value>;
}

/** State that instances of one class share in Python. */
export interface Surroundings {
  /** Of the day on which ages are counted. */
  today: CalendarDay;
  /** Default lists of parameters: shared between calls, so an append to one is seen by all. */
  defaults: { tags: Value[]; mentions: Value[] };
  /** Additional data and answers of the tools; null outside the long-context category. */
  longContext: LongContext | null;
}

export interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

export const object = (members: Readonly<Record<string, Value>>): Dict => Dict.of(Object.entries(members));

export const failure = (error: string): Dict => object({ error });

/** A text that a method of texts is called on. @throws PythonFault for what has no such method */
export function textOf(value: Value, method: string): string {
  if (typeof value === 'string') return value;
  throw new PythonFault('value', `'${kindOf(value)}' object has no attribute '${method}'`);
}

/** `value.lower()`. @throws PythonFault */
export const lower = (value: Value): string => textOf(value, 'lower').toLowerCase();

/** `dict[name]`. @throws PythonFault */
export function member(dict: Value, name: Value): Value {
  const found = dict instanceof Dict ? dict.get(name) : undefined;
  if (found === undefined) throw new PythonFault('value', repr(name));
  return found;
}
