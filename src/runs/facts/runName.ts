/** Names that distinguish runs of one experiment by their differences, without the experiment's name. */
import { isOfServer } from '../../shared/experiment/endpoints/serverFields.ts';
import { fieldAt } from '../../shared/experiment/fields.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { flatSettings } from './settings.ts';

export interface SettingDifference {
  path: string;
  /** `α`, or the field's path. */
  name: string;
  /** `0.4`; `off` for a limit that is not set. */
  value: string;
}

/** Settings of a run that are not those of another. Of a setting that only one has, the other's value is `off`. */
export function settingDifferences(base: Experiment, own: Experiment): SettingDifference[] {
  const [before, after] = [flatSettings(base), flatSettings(own)];
  const differing = [...new Set([...after.keys(), ...before.keys()])].flatMap((path) => {
    const value = after.get(path) ?? 'off';
    if (value === (before.get(path) ?? 'off')) return [];
    return [{ path, name: fieldAt(path)?.symbol ?? path, value }];
  });
  return differing.sort((a, b) => rank(a) - rank(b));
}

/** Important differences first, repetitions last. */
const rank = ({ path, name }: SettingDifference): number => (path === 'seed' ? 2 : name === path ? 1 : 0);

/** More of them make no name. */
const most = 4;
const longest = 28;

/** `α 0.4 · seed 3`. */
export function differencesInWords(differences: readonly SettingDifference[]): string {
  const shown = differences.slice(0, most).map(({ name, value }) => `${name} ${short(value)}`);
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' · ');
}

/** A file's name without its folder; long values are cut. */
function short(value: string): string {
  const last = /^[^\s{[]*[\\/]/.test(value) ? (value.split(/[\\/]/).at(-1) ?? value) : value;
  return last.length > longest ? `${last.slice(0, longest - 1)}…` : last;
}

/**
 * @param base the experiment's first run, or the parent of a branch
 * @param taken names of the experiment's runs so far
 * @param epoch the last one that a branch shares; null for a run of its own
 */
export function tellingName(
  experiment: Experiment,
  base: Experiment,
  taken: ReadonlySet<string>,
  epoch: number | null = null,
): string {
  const differing = settingDifferences(base, experiment);
  const name = epoch === null ? differencesInWords(differing) : branchName(differing, experiment, epoch);
  if (name !== '' && !taken.has(name)) return name;
  for (let number = 2; ; number++) {
    const next = `${name === '' ? experiment.name : name} · run ${number}`;
    if (!taken.has(next)) return next;
  }
}

/** Where a branch finds its servers is nothing that it tries: one that moved alone is the experiment, continued. */
function branchName(differing: readonly SettingDifference[], { name }: Experiment, epoch: number): string {
  const tried = differing.filter(({ path }) => !isOfServer(path));
  return `${tried.length === 0 ? name : differencesInWords(tried)} · from epoch ${epoch}`;
}
