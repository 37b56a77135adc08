/** A run's settings as rows, each with what it means and the preset's value where the run differs from it. */
import * as z from 'zod';
import { presets } from '../../shared/experiment/presets.ts';
import { experimentSchema, type Experiment } from '../../shared/experiment/schema.ts';
import type { SettingRow } from '../../shared/report/data.ts';

/** Fields that name a run rather than set it up. */
const names = new Set(['version', 'name', 'preset']);

export function settingRows(experiment: Experiment): SettingRow[] {
  const preset = flat(presets[experiment.preset]);
  const meanings = meaningsOf(z.toJSONSchema(experimentSchema, { unrepresentable: 'any' }));
  return [...flat(experiment)]
    .filter(([path]) => !names.has(path))
    .map(([path, value]) => {
      const before = preset.get(path) ?? 'not set';
      return { path, value, preset: before === value ? null : before, meaning: meanings.get(path) ?? '' };
    });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

function flat(value: unknown, path = ''): Map<string, string> {
  if (!isObject(value)) return new Map([[path, words(value)]]);
  return new Map(
    Object.entries(value).flatMap(([key, inner]) => [...flat(inner, path === '' ? key : `${path}.${key}`)]),
  );
}

/** `off` reads better than `null` for a limit that is not set. */
function words(value: unknown): string {
  if (value === null) return 'off';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function meaningsOf(schema: unknown, path = ''): Map<string, string> {
  const meanings = new Map<string, string>();
  if (!isObject(schema)) return meanings;
  if (typeof schema['description'] === 'string') meanings.set(path, schema['description']);
  const alternatives = [schema['anyOf'], schema['oneOf']].flatMap((list) => (isList(list) ? list : []));
  for (const alternative of alternatives)
    for (const [at, text] of meaningsOf(alternative, path)) meanings.set(at, text);
  const properties = schema['properties'];
  if (isObject(properties)) {
    for (const [key, inner] of Object.entries(properties)) {
      for (const [at, text] of meaningsOf(inner, path === '' ? key : `${path}.${key}`)) meanings.set(at, text);
    }
  }
  return meanings;
}
