/** pass@k by category and over all, the authors' own totals, and means of the reward's parts. */
import * as l10n from '@vscode/l10n';
import { countedParts } from '../../src/shared/countedParts.ts';
import type { EvaluationScoreRow, EvaluationState } from '../../src/shared/views/evaluation.ts';
import { count } from '../charts/format.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { element } from '../lib/element.ts';
import { percentText } from './words.ts';

/** Pixels. */
const glyphWidth = 84;

export function scoreSection({ rows, all, totals, parts }: EvaluationState): HTMLElement {
  const ks = all.pass.map(({ k }) => k);
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, l10n.t('Category')),
    ...[l10n.t('Tasks'), l10n.t('Right')].map((title) => element('th', { scope: 'col', class: 'number' }, title)),
    ...ks.map((k) => element('th', { scope: 'col', class: 'number' }, l10n.t('pass@{0}, 95 %', k))),
  );
  const shown = rows.length > 1 ? rows : [];
  const facts = [
    ...totals.map(({ name, value, missing }) =>
      value === null
        ? l10n.t('{0}: not given, as these were not run: {1}', name, missing.join(', '))
        : l10n.t('{0}, as its authors compute it: {1}', name, percentText(value)),
    ),
    ...Object.entries(parts).map(([name, value]) =>
      l10n.t('mean of {0}: {1}', name, countedParts.has(name) ? value.toFixed(2) : percentText(value)),
    ),
  ];
  return element(
    'section',
    { class: 'score' },
    element('h2', {}, l10n.t('Measured here')),
    element(
      'table',
      {},
      element('thead', {}, head),
      element(
        'tbody',
        {},
        ...shown.map((row) => scoreRow(row, row.category)),
        scoreRow(all, shown.length > 0 ? l10n.t('all') : (rows[0]?.category ?? l10n.t('all'))),
      ),
    ),
    ...(facts.length === 0 ? [] : [element('ul', { class: 'facts' }, ...facts.map((one) => element('li', {}, one)))]),
  );
}

function scoreRow({ tasks, attempts, successes, pass }: EvaluationScoreRow, name: string): HTMLElement {
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, name),
    element('td', { class: 'number' }, count(tasks)),
    element('td', { class: 'number' }, l10n.t('{0} of {1}', count(successes), count(attempts))),
    ...pass.map(({ value, low, high }) =>
      value === null
        ? element('td', { class: 'number' }, '—')
        : element(
            'td',
            { class: 'number' },
            intervalGlyph({ p: value, low, high, tone: 'agent' }, glyphWidth),
            element('span', { class: 'value' }, percentText(value)),
            element('span', { class: 'ends' }, `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`),
          ),
    ),
  );
}
