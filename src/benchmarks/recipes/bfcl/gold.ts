/** Calls as a new task's gold: BFCL's lists of acceptable values, and the calls as a model would write them. */
import * as l10n from '@vscode/l10n';
import { repr } from '../../bfcl/python/text/repr.ts';
import { fromJson, type Value } from '../../bfcl/python/value.ts';
import { jsonText, parseJson } from '../../python/json.ts';
import { equal, type PythonValue } from '../../python/value.ts';
import { TaskFault } from '../../taskFault.ts';
import { typeFault, type FunctionSpec } from './functions.ts';

/** One call that is asked for. */
export interface WrittenCall {
  name: string;
  arguments: ReadonlyMap<string, PythonValue>;
}

/** @param value a list of `{name, arguments}`. @throws TaskFault `schema` */
export function writtenCalls(value: PythonValue | undefined): WrittenCall[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new TaskFault('schema', l10n.t('calls: must be a list of calls'));
  return value.map((one, at) => {
    const [name, given] = one instanceof Map ? [one.get('name'), one.get('arguments')] : [];
    if (typeof name === 'string' && given instanceof Map) return { name, arguments: given };
    throw new TaskFault('schema', l10n.t('calls.{0}: must be {"name": …, "arguments": {…}}', at));
  });
}

/** BFCL's ground truth: what may be left out may be so, and has its default else. @throws TaskFault `gold` */
export function goldOf(calls: readonly WrittenCall[], specs: readonly FunctionSpec[]): string {
  const truths = calls.map(({ name, arguments: given }): PythonValue => {
    const spec = specs.find((one) => one.name === name);
    if (spec === undefined) throw new TaskFault('gold', l10n.t('{0} is none of the task’s functions', name));
    const accepted = new Map<string, PythonValue>();
    for (const parameter of given.keys()) {
      if (Object.hasOwn(spec.parameters.properties, parameter)) continue;
      throw new TaskFault('gold', l10n.t('{0} has no parameter {1}', name, parameter));
    }
    for (const [parameter, described] of Object.entries(spec.parameters.properties)) {
      const { default: usual, type, enum: choices } = described;
      const value = given.get(parameter);
      const byDefault = usual === undefined ? undefined : parseJson(JSON.stringify(usual));
      const isNeeded = spec.parameters.required.includes(parameter);
      if (value === undefined) {
        if (isNeeded) throw new TaskFault('gold', `${name} needs ${parameter}`);
        if (byDefault !== undefined && byDefault !== null) accepted.set(parameter, [listed(byDefault), '']);
        continue;
      }
      const fault = typeFault(value, described);
      if (fault !== null) throw new TaskFault('gold', `${name}: ${parameter} = ${jsonText(value)} ${fault}`);
      if (choices !== undefined && !choices.some((one) => equal(parseJson(JSON.stringify(one)), value))) {
        throw new TaskFault('gold', l10n.t('{0}: {1} is no choice of {2}', name, jsonText(value), parameter));
      }
      const mayBeLeftOut = !isNeeded && byDefault !== undefined && equal(byDefault, value);
      // A whole number where a float is asked for is compared as one.
      const kept = type === 'float' && typeof value === 'bigint' ? Number(value) : value;
      accepted.set(parameter, [listed(kept), ...(mayBeLeftOut ? [''] : [])]);
    }
    return new Map([[name, accepted]]);
  });
  return jsonText(truths);
}

/** In a dict every value is a list of acceptable ones. */
function listed(value: PythonValue): PythonValue {
  if (Array.isArray(value)) return value.map(listed);
  if (!(value instanceof Map)) return value;
  return new Map(Array.from(value, ([key, one]): [string, PythonValue] => [key, [one]]));
}

/** One of the right answers: of every list of acceptable values the first. @throws TaskFault `gold` */
export function callsOf(gold: string | null): WrittenCall[] {
  const value = gold === null ? null : jsonOf(gold);
  if (!Array.isArray(value) || value.length === 0) throw new TaskFault('gold', l10n.t('the gold is no list of calls'));
  return value.map((one) => {
    const [name, accepted] = one instanceof Map ? (Array.from(one)[0] ?? []) : [];
    if (name === undefined || !(accepted instanceof Map))
      throw new TaskFault('gold', l10n.t('the gold is no list of calls'));
    const given = new Map<string, PythonValue>();
    for (const [parameter, values] of accepted) {
      const [first] = Array.isArray(values) ? values : [];
      if (first !== undefined && first !== '') given.set(parameter, unlisted(first));
    }
    return { name, arguments: given };
  });
}

function unlisted(value: PythonValue): PythonValue {
  if (Array.isArray(value)) return value.map(unlisted);
  if (!(value instanceof Map)) return value;
  return new Map(
    Array.from(value).flatMap(([key, values]): [string, PythonValue][] => {
      const first = Array.isArray(values) ? values[0] : values;
      return first === undefined || first === '' ? [] : [[key, first]];
    }),
  );
}

/** `[name(parameter=value, …), …]`, as Python writes it and a model is asked to. */
export function callText(calls: readonly WrittenCall[]): string {
  const written = (value: PythonValue): string => repr(asValue(value));
  return `[${calls
    .map(({ name, arguments: given }) => {
      const parts = Array.from(given, ([parameter, value]) => `${parameter}=${written(value)}`);
      return `${name}(${parts.join(', ')})`;
    })
    .join(', ')}]`;
}

const asValue = (value: PythonValue): Value => fromJson(value);

function jsonOf(text: string): PythonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new TaskFault('gold', l10n.t('the gold is not JSON ({0})', error.message));
    throw error;
  }
}
