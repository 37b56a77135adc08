import { endpointDefaults, hasDefaults, type Endpoint } from './endpoints/endpoint.ts';
import { LongInteger } from '../longInteger.ts';
import type { Path } from './text/jsonText.ts';
import { isMethod, methodFields, methods, type MethodName } from './named/methods.ts';
import { presets, type PresetName } from './presets.ts';
import { experimentSchema, type Experiment } from './schema.ts';

/** A JSON object with unchecked fields. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongInteger);

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

/** The method named in a file's object (`genenv` when it names none or an unknown one). */
const methodOf = ({ method }: JsonObject): MethodName => (isMethod(method) ? method : 'genenv');

const starts = new Map<string, Experiment>();

/** A file's start: its preset with its method's changes. */
export function startOf(file: JsonObject): Experiment {
  const [preset, method] = [presetOf(file), methodOf(file)];
  const key = `${preset} ${method}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  const changes = Object.entries({ method, ...methods[method] });
  const under: JsonObject = { ...presets[preset] };
  const start = experimentSchema.parse(
    changes.reduce((whole, [field, to]) => overlay(whole, nested(field.split('.'), to)), under),
  );
  starts.set(key, start);
  return start;
}

/** All that a method decides, on top of whatever stood there: what naming it in `--set` or in a study's arm sets. */
export function withMethod(under: JsonObject, method: MethodName): JsonObject {
  const start = startOf({ preset: under['preset'], method });
  return ['method', ...methodFields].reduce((whole, field) => {
    const path = field.split('.');
    return overlay(whole, nested(path, at(start, path)));
  }, under);
}

/** Fills omitted fields from the preset. Unknown fields stay, so that the schema can name them. */
export function withPreset(file: JsonObject): JsonObject {
  const preset = startOf(file);
  const endpoints = {
    agent: endpointUnder(preset.endpoints.agent, file, 'agent'),
    environment: endpointUnder(preset.endpoints.environment, file, 'environment'),
  };
  const whole = overlay({ ...preset, endpoints, domain: { ...preset.domain, ...named(file['domain']) } }, file);
  const { domains } = whole;
  if (!Array.isArray(domains)) return whole;
  const { file: none, seeds, heldOut, baseTasks, taskSeed } = preset.domain;
  const given = { file: none, seeds, heldOut, baseTasks, taskSeed };
  const under = (one: unknown): unknown => (isObject(one) ? { ...given, ...named(one), ...one } : one);
  return { ...whole, domains: domains.map(under) };
}

/** A domain file replaces the preset's domain. */
function named(domain: unknown): JsonObject {
  return isObject(domain) && typeof domain['file'] === 'string' ? { name: 'file' } : {};
}

/** The base of a file's endpoint: the preset's where it is of the same kind, else the defaults of its kind. */
function endpointUnder(preset: Endpoint, file: JsonObject, role: 'agent' | 'environment'): JsonObject {
  const { endpoints } = file;
  const own = isObject(endpoints) ? endpoints[role] : undefined;
  const kind = isObject(own) ? own['kind'] : undefined;
  return { ...(hasDefaults(kind) && preset.kind !== kind ? endpointDefaults[kind] : preset) };
}

/** The experiment of a file's object. @throws ZodError when a field is unknown, missing or out of range. */
export function resolveExperiment(file: JsonObject): Experiment {
  return experimentSchema.parse(withPreset(file));
}
