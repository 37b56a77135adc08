/** Arms × measures, and differences between arms. */
import * as l10n from '@vscode/l10n';
import type { StudyResults } from '../../src/features/study/contract/page.ts';
import { measureCell } from '../../src/features/study/contract/measureCell.ts';
import { saidValue } from '../../src/features/study/contract/saidValue.ts';
import { element } from '../lib/element.ts';
import { ends } from '../../src/shared/text/figures/intervals.ts';
import { fixed } from '../../src/shared/text/figures/numbers.ts';
import { percent } from '../../src/shared/text/figures/shares.ts';

const p = (value: number): string => (value < 0.001 ? '< 0.001' : fixed(value, 3));

function table(titles: readonly string[], numbers: number, rows: readonly HTMLElement[]): HTMLElement {
  const heads = titles.map((title, i) => element('th', { scope: 'col', class: i >= numbers ? 'number' : '' }, title));
  return element('table', {}, element('thead', {}, element('tr', {}, ...heads)), element('tbody', {}, ...rows));
}

export function measureTable(results: StudyResults): HTMLElement {
  const { arms, measures, seeds } = results;
  const titles = measures.map(({ label, unit }) => (unit === 'share' ? l10n.t('{0}, %', label) : label));
  const rows = arms.map(({ name, finished, dropped }, arm) =>
    element(
      'tr',
      dropped === null ? {} : { title: dropped },
      element('th', { scope: 'row' }, dropped === null ? name : l10n.t('{0} (stopped)', name)),
      element('td', { class: 'number' }, `${finished}/${seeds.length}`),
      ...measures.map((_, m) => element('td', { class: 'number' }, measureCell(results, arm, m))),
    ),
  );
  return table([l10n.t('arm'), l10n.t('runs'), ...titles], 1, rows);
}

export function comparisonTable({ arms, measures, comparisons, level }: StudyResults): HTMLElement {
  const rows = comparisons.map(
    ({ measure, arm, against, difference, low, high, adjusted, effect, pairs, power, ...one }) => {
      const head = measures[measure] ?? { label: '', unit: 'plain' as const, higher: true };
      const figures = `${saidValue(difference, head)} ${ends(saidValue(low, head), saidValue(high, head))}`;
      return element(
        'tr',
        adjusted <= level ? { class: 'shown' } : {},
        element('th', { scope: 'row' }, `${arms[arm]?.name ?? ''} − ${arms[against]?.name ?? ''}`),
        element('td', {}, head.label),
        element('td', { class: 'number' }, figures),
        element('td', { class: 'number' }, p(one.p)),
        element('td', { class: 'number' }, p(adjusted)),
        element('td', { class: 'number' }, effect === null ? '–' : fixed(effect, 2)),
        element('td', { class: 'number' }, `${Math.round(one.better * pairs)}/${pairs}`),
        element('td', { class: 'number' }, power === null ? '–' : percent(power)),
        element('td', { class: 'number' }, one.seedsFor === null ? '–' : String(one.seedsFor)),
      );
    },
  );
  return table(
    [
      l10n.t('arms'),
      l10n.t('measure'),
      l10n.t('difference [95 %]'),
      l10n.t('p'),
      l10n.t('p, Holm'),
      l10n.t('g'),
      l10n.t('seeds with more'),
      l10n.t('power'),
      l10n.t('seeds for 80 %'),
    ],
    2,
    rows,
  );
}
