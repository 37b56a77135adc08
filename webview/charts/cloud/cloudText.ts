/** What is known of an epoch or of one family, for a tooltip or a screen reader. */
import { successRate } from '../../../src/engine/math/successRate.ts';
import { interval, number, percent, plural, rate } from '../format.ts';
import { verdictOf, verdictShapes } from '../verdict.ts';
import { changeText } from './axesPaint.ts';
import type { CloudData, CloudEpoch } from './cloudPaint.ts';

/** What the host knows of a family beyond its columns. */
export interface FamilyName {
  id: string;
  plan: string;
  complexity: Readonly<Record<string, number>>;
}

export function epochText({ index, changes }: CloudData, { epoch, mean, curriculum }: CloudEpoch): string[] {
  const changed = changeText(changes, epoch);
  const stretch = index.stretch(epoch);
  const families = stretch === undefined ? 0 : stretch.to - stretch.from;
  return [
    mean === null ? `Epoch ${epoch}` : `Epoch ${epoch} · mean p̂ ${rate(mean.p)}`,
    ...(mean === null
      ? ['not measured yet']
      : [`95 % interval ${interval(mean.low, mean.high)} · ${plural(families, 'family', 'families')}`]),
    `band ${number(curriculum.alpha)} ± ${number(curriculum.kMin)}, β ${number(curriculum.beta)}, λ ${number(curriculum.lambda)}`,
    ...(changed === '' ? [] : [`changed: ${changed}`]),
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
  const family = index.family[place] ?? 0;
  const { successes, attempts, p, low, high } = successRate(
    columns.successes[family] ?? 0,
    columns.attempts[family] ?? 0,
  );
  if (p === null) return [];
  const verdict = verdictOf(p, curriculum);
  const kept = (columns.kept[family] ?? 0) > 0;
  const details = Object.entries(name?.complexity ?? {}).map(([key, value]) => `${key} ${number(value)}`);
  return [
    `${verdictShapes[verdict].character} ${verdict} · p̂ ${rate(p)}`,
    `95 % interval ${interval(low, high)} · ${successes} of ${plural(attempts, 'attempt')}, ${plural(columns.tasksOf(family), 'task')}`,
    `reward ${rate(reward)}, ${kept ? `weight ${percent(columns.weight[family] ?? 0)} of the update` : 'left out of the update'}`,
    ...(name === undefined ? [] : [name.plan === '' ? details.slice(0, 6).join(' · ') : name.plan]),
    `epoch ${epoch}${name === undefined ? '' : `, family ${name.id}`}`,
  ].filter((line) => line !== '');
}
