/** A run's settings as rows, each with its meaning and the preset's value where the run differs from it. */
import { describeField } from '../../shared/experiment/fields.ts';
import { startOf } from '../../shared/experiment/resolve.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { SettingRow } from '../../shared/report/data.ts';

/** Fields that name a run rather than set it up. */
const names = new Set(['version', 'name', 'preset']);

export function settingRows(experiment: Experiment): SettingRow[] {
  const preset = flat(startOf({ ...experiment }));
  return [...flatSettings(experiment)].map(([path, value]) => {
    const before = preset.get(path) ?? 'not set';
    return { path, value, preset: before === value ? null : before, meaning: describeField(path) };
  });
}

/** Every setting as text, by its path. */
export const flatSettings = (experiment: Experiment): Map<string, string> =>
  new Map([...flat(experiment)].filter(([path]) => !names.has(path)));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
