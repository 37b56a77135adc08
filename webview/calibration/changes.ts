/** How settings of the curriculum differ. Pure. */
import type { ScoringSettings } from '../../src/engine/math/scoring.ts';
import { number } from '../../src/shared/text/figures/numbers.ts';

const keys = ['alpha', 'beta', 'lambda', 'kMin'] as const;

/** A setting that a slider changes, also in a running run. */
export type SettingKey = (typeof keys)[number];

export type RewardName = NonNullable<ScoringSettings['reward']>['kind'];

/** Which kind of reward is meant: without one the paper's kernel. */
export const kindOf = ({ reward }: ScoringSettings): RewardName => reward?.kind ?? 'kernel';

/** The pending changes: `α 0.5 → 0.6, β 10 → 12`. */
export function changesText(from: ScoringSettings, to: ScoringSettings): string {
  const symbols = { alpha: 'α', beta: 'β', lambda: 'λ', kMin: 'k_min' };
  return keys
    .filter((key) => from[key] !== to[key])
    .map((key) => `${symbols[key]} ${number(from[key])} → ${number(to[key])}`)
    .join(', ');
}

/** The fields that differ, as the run takes them. */
export function changedFields(from: ScoringSettings, to: ScoringSettings): { field: string; value: number }[] {
  return keys.filter((key) => from[key] !== to[key]).map((key) => ({ field: `curriculum.${key}`, value: to[key] }));
}

/** The same as a branch takes them, the kind of reward included: `curriculum.alpha=0.4`. */
export function branchChanges(from: ScoringSettings, to: ScoringSettings): string[] {
  const kind = kindOf(to) === kindOf(from) ? [] : [`curriculum.reward.kind=${kindOf(to)}`];
  return [...kind, ...changedFields(from, to).map(({ field, value }) => `${field}=${value}`)];
}

/** Whether nothing differs, the kind of reward included, which no run takes while it goes. */
export const isSame = (from: ScoringSettings, to: ScoringSettings): boolean =>
  kindOf(from) === kindOf(to) && changedFields(from, to).length === 0;
