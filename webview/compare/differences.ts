/** The settings that differ between runs, and names of runs. Pure. */
import { fieldAt } from '../../src/shared/experiment/fields.ts';
import type { ComparedRun } from '../../src/features/compare/contract.ts';

export interface SettingLine {
  path: string;
  /** One a run, in order. */
  values: string[];
  differs: boolean;
}

/** Every setting of the runs, in the order of the first. */
export function settingLines(runs: readonly Pick<ComparedRun, 'settings'>[]): SettingLine[] {
  const paths = new Set(runs.flatMap(({ settings }) => Object.keys(settings)));
  return [...paths].map((path) => {
    const values = runs.map(({ settings }) => settings[path] ?? '—');
    return { path, values, differs: new Set(values).size > 1 };
  });
}

/** A run's distinguishing settings in a few words: `mode random, seed 2`. '' where nothing differs. */
export function distinctions(runs: readonly Pick<ComparedRun, 'settings'>[], most = 3): string[] {
  const differing = settingLines(runs).filter(({ differs }) => differs);
  return runs.map((_, i) => {
    const words = differing.slice(0, most).map(({ path, values }) => `${shortName(path)} ${values[i] ?? ''}`);
    return words.join(', ') + (differing.length > most ? ', …' : '');
  });
}

const shortName = (path: string): string => fieldAt(path)?.symbol ?? path.split('.').at(-1) ?? path;

/** A run's letter in charts: A, B, C … */
export const letterOf = (index: number): string => String.fromCharCode(65 + index);
