import { presets, type PresetName } from './presets.ts';
import { experimentSchema, type Experiment } from './schema.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `over` on top of `under`, object by object; arrays and scalars replace. */
function overlay(under: Json, over: Json): Json {
  const merged: Json = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isObject(below) && isObject(value) ? overlay(below, value) : value;
  }
  return merged;
}

/** The preset named in a file's object (`default` when it names none or an unknown one). */
function presetOf(file: Json): PresetName {
  const name = file['preset'];
  return name === 'paper' || name === 'embedded' ? name : 'default';
}

/** What a file leaves out comes from its preset. Unknown fields stay, so that the schema can name them. */
export function withPreset(file: Json): Json {
  return overlay({ ...presets[presetOf(file)] }, file);
}

/** The experiment a file's object stands for. @throws ZodError when a field is unknown, missing or out of range. */
export function resolveExperiment(file: Json): Experiment {
  return experimentSchema.parse(withPreset(file));
}
