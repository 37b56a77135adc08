/** An instance's initial values: the record's own, or the tool's. */
import { PythonFault } from '../python/fault.ts';
import { Dict, type Value } from '../python/value.ts';

/** A value of its own, all the way down. */
export function deepCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(deepCopy);
  return value instanceof Dict ? copyOf(value) : value;
}

export const copyOf = (dict: Dict): Dict =>
  Dict.of(Array.from(dict, ([key, value]): [Value, Value] => [key, deepCopy(value)]));

/** @throws PythonFault */
export function listOf(scenario: Dict, name: string, otherwise: readonly Value[]): Value[] {
  const found = valueOf(scenario, name, [...otherwise]);
  if (!Array.isArray(found)) throw new PythonFault('value', `${name} is no list`);
  return found;
}

/** @throws PythonFault */
export function dictOf(scenario: Dict, name: string, otherwise: Readonly<Record<string, Value>> | Dict): Dict {
  const found = valueOf(scenario, name, otherwise instanceof Dict ? otherwise : Dict.of(Object.entries(otherwise)));
  if (!(found instanceof Dict)) throw new PythonFault('value', `${name} is no dict`);
  return found;
}

/** Of any kind. */
export function valueOf(scenario: Dict, name: string, otherwise: Value): Value {
  const found = scenario.get(name);
  return found === undefined ? otherwise : found;
}

/** @throws PythonFault for what is no whole number */
export function seedOf(scenario: Dict, otherwise: bigint): bigint {
  const seed = valueOf(scenario, 'random_seed', otherwise);
  if (typeof seed !== 'bigint') throw new PythonFault('value', 'a seed is a whole number');
  return seed;
}
