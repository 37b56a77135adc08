/** In which settings runs of one experiment file, or of one study, are not all the same. */
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { differencesInWords, type SettingDifference } from '../../../runs/facts/runName.ts';
import { flatSettings } from '../../../runs/facts/settings.ts';
import { fieldAt } from '../../../shared/experiment/fields.ts';

export interface SettledRun {
  dir: string;
  /** Runs of the group to distinguish. */
  group: string;
  experiment: Experiment;
}

/** By folder: `α 0.4 · seed 3`. */
export function differingSettings(runs: readonly SettledRun[]): Map<string, string> {
  const groups = new Map<string, { dir: string; settings: Map<string, string> }[]>();
  for (const { dir, group, experiment } of runs) {
    const one = { dir, settings: flatSettings(experiment) };
    const others = groups.get(group);
    if (others === undefined) groups.set(group, [one]);
    else others.push(one);
  }
  const words = new Map<string, string>();
  for (const group of groups.values()) {
    const paths = differingPaths(group.map(({ settings }) => settings));
    for (const { dir, settings } of group) {
      words.set(dir, differencesInWords(paths.map((path) => difference(path, settings.get(path) ?? 'off'))));
    }
  }
  return words;
}

function differingPaths(all: readonly ReadonlyMap<string, string>[]): string[] {
  const [first, ...others] = all;
  const differing = new Set<string>();
  for (const one of others) {
    for (const [path, value] of one) if (first?.get(path) !== value) differing.add(path);
    for (const path of first?.keys() ?? []) if (!one.has(path)) differing.add(path);
  }
  // The seed says least: it comes last.
  return [...differing].sort((a, b) => rank(a) - rank(b));
}

const rank = (path: string): number => (path === 'seed' ? 2 : fieldAt(path)?.symbol === undefined ? 1 : 0);

const difference = (path: string, value: string): SettingDifference => ({
  ...{ path, name: fieldAt(path)?.symbol ?? path, value },
});
