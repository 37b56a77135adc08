/** The shortest file for an experiment: its preset and the differences from it. */
import { isObject, startOf, type JsonObject } from './resolve.ts';
import type { Experiment } from './schema.ts';

export function writtenForm(experiment: Experiment): JsonObject {
  const { version, name, preset, method } = experiment;
  const named = method === 'genenv' ? {} : { method };
  return { version, name, preset, ...named, ...differences({ ...startOf({ ...experiment }) }, { ...experiment }) };
}

function differences(from: JsonObject, to: JsonObject): JsonObject {
  const found: JsonObject = {};
  for (const [key, value] of Object.entries(to)) {
    const before = from[key];
    if (isObject(before) && isObject(value)) {
      const inner = differences(before, value);
      if (Object.keys(inner).length > 0) found[key] = inner;
    } else if (JSON.stringify(before) !== JSON.stringify(value)) found[key] = value;
  }
  return found;
}
