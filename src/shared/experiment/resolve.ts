import { endpointDefaults, hasDefaults, type Endpoint } from './endpoints/endpoint.ts';
import type { Path } from './text/jsonText.ts';
import { presets, type PresetName } from './presets.ts';
import { experimentSchema, type Experiment } from './schema.ts';

/** A JSON object whose fields nobody has checked yet. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `over` on top of `under`, object by object; arrays and scalars replace. */
export function overlay(under: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isObject(below) && isObject(value) ? overlay(below, value) : value;
  }
  return merged;
}

/** A value at the end of a path of names. */
export function nested([head = '', ...rest]: readonly string[], value: unknown): JsonObject {
  return { [head]: rest.length === 0 ? value : nested(rest, value) };
}

/** The value at a path of plain JSON; undefined where there is none. */
export function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (typeof inner !== 'object' || inner === null) return undefined;
    return Object.getOwnPropertyDescriptor(inner, part)?.value;
  }, value);
}

/** The preset named in a file's object (`default` when it names none or an unknown one). */
export function presetOf(file: JsonObject): PresetName {
  const name = file['preset'];
  return name === 'paper' || name === 'embedded' ? name : 'default';
}

/** What a file leaves out comes from its preset. Unknown fields stay, so that the schema can name them. */
export function withPreset(file: JsonObject): JsonObject {
  const preset = presets[presetOf(file)];
  const endpoints = {
    agent: endpointUnder(preset.endpoints.agent, file, 'agent'),
    environment: endpointUnder(preset.endpoints.environment, file, 'environment'),
  };
  const whole = overlay({ ...preset, endpoints, domain: { ...preset.domain, ...named(file['domain']) } }, file);
  const { domains } = whole;
  if (!Array.isArray(domains)) return whole;
  const { file: none, seeds, heldOut, baseTasks } = preset.domain;
  const given = { file: none, seeds, heldOut, baseTasks };
  const under = (one: unknown): unknown => (isObject(one) ? { ...given, ...named(one), ...one } : one);
  return { ...whole, domains: domains.map(under) };
}

/** A file of a person's own is the domain, whatever the preset's is. */
function named(domain: unknown): JsonObject {
  return isObject(domain) && typeof domain['file'] === 'string' ? { name: 'file' } : {};
}

/** What a file's endpoint is laid over: the preset's where it is of the same kind, else what that kind is by default. */
function endpointUnder(preset: Endpoint, file: JsonObject, role: 'agent' | 'environment'): JsonObject {
  const { endpoints } = file;
  const own = isObject(endpoints) ? endpoints[role] : undefined;
  const kind = isObject(own) ? own['kind'] : undefined;
  return { ...(hasDefaults(kind) && preset.kind !== kind ? endpointDefaults[kind] : preset) };
}

/** The experiment a file's object stands for. @throws ZodError when a field is unknown, missing or out of range. */
export function resolveExperiment(file: JsonObject): Experiment {
  return experimentSchema.parse(withPreset(file));
}
