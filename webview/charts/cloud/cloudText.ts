/** The facts of an epoch or of one family, for a tooltip or a screen reader. */
import { familyRate } from '../families/familyRate.ts';
import * as l10n from '@vscode/l10n';
import { interval } from '../../../src/shared/text/figures/intervals.ts';
import { number, plural, rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { verdictOf, verdictShapes, verdictWord } from '../verdict.ts';
import { changeText } from './axesPaint.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { CloudData, CloudEpoch } from './cloudData.ts';

/** The host's facts of a family beyond its columns. */
export interface FamilyName {
  id: string;
  plan: string;
  complexity: Readonly<Record<string, number>>;
}

export function epochText({ index, changes }: CloudData, { epoch, mean, curriculum }: CloudEpoch): string[] {
  const changed = changeText(changes, epoch);
  const stretch = index.stretch(epoch);
  const families = stretch === undefined ? 0 : stretch.to - stretch.from;
  const { alpha, kMin, beta, lambda } = curriculum;
  return [
    mean === null ? l10n.t('Epoch {0}', epoch) : l10n.t('Epoch {0} · mean p̂ {1}', epoch, rate(mean.p)),
    ...(mean === null
      ? [l10n.t('not measured yet')]
      : [
          l10n.t(
            '95 % interval over families {0} · {1}',
            interval(mean.low, mean.high),
            plural(families, l10n.t('family'), l10n.t('families')),
          ),
        ]),
    l10n.t('band {0} ± {1}, β {2}, λ {3}', number(alpha), number(kMin), number(beta), number(lambda)),
    ...(changed === '' ? [] : [l10n.t('changed: {0}', changed)]),
  ];
}

export function familyText(
  { index }: CloudData,
  { epoch, curriculum }: CloudEpoch,
  place: number,
  reward: number,
  name: FamilyName | undefined,
): string[] {
  const { columns } = index;
  const family = index.family[place] ?? outOfRange();
  const { successes, attempts, p, low, high, effective = attempts } = familyRate(columns, family);
  if (p === null) return [];
  const verdict = verdictOf(p, curriculum);
  const kept = (columns.kept[family] ?? outOfRange()) > 0;
  const details = Object.entries(name?.complexity ?? {}).map(([key, value]) => `${key} ${number(value)}`);
  const attempted = plural(attempts, l10n.t('attempt'), l10n.t('attempts'));
  const tasks = plural(columns.tasksOf(family), l10n.t('task'), l10n.t('tasks'));
  const weight = percent(columns.weight[family] ?? outOfRange());
  return [
    l10n.t('{0} {1} · p̂ {2}', verdictShapes[verdict].character, verdictWord(verdict), rate(p)),
    l10n.t('95 % interval {0} · {1} of {2}, {3}', interval(low, high), successes, attempted, tasks),
    ...(effective < attempts - 0.5
      ? [l10n.t('worth {0} independent attempts, as those at one task agree', number(effective))]
      : []),
    kept
      ? l10n.t('reward {0}, weight {1} of the update', rate(reward), weight)
      : l10n.t('reward {0}, left out of the update', rate(reward)),
    ...(name === undefined ? [] : [name.plan === '' ? details.slice(0, 6).join(' · ') : name.plan]),
    name === undefined ? l10n.t('epoch {0}', epoch) : l10n.t('epoch {0}, family {1}', epoch, name.id),
  ].filter((line) => line !== '');
}
