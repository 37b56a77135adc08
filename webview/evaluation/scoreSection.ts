/** pass@k by category and over all, the authors' own totals, and means of the reward's parts. */
import * as l10n from '@vscode/l10n';
import { countedParts } from '../../src/shared/countedParts.ts';
import type { EvaluationScoreRow, EvaluationState } from '../../src/features/evaluation/contract.ts';
import { count, fixed } from '../../src/shared/text/figures/numbers.ts';
import { percentToTenth } from '../../src/shared/text/figures/shares.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { element } from '../lib/element.ts';
import { unofficialText } from './unofficialText.ts';
import {} from './words.ts';

/** Pixels. */
const glyphWidth = 84;

export function scoreSection(state: EvaluationState): HTMLElement {
  const { rows, all, totals, parts, unofficial } = state;
  const ks = all.pass.map(({ k }) => k);
  const whole = [all, ...rows].every(({ asked, attempts }) => asked === attempts);
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, l10n.t('Category')),
    ...[
      l10n.t('Tasks'),
      l10n.t('Right'),
      ...ks.map((k) => l10n.t('pass@{0}, 95 %', k)),
      ...(whole ? [] : [l10n.t('Of those answered')]),
    ].map((title) => element('th', { scope: 'col', class: 'number' }, title)),
  );
  const shown = rows.length > 1 ? rows : [];
  const told = unofficial.filter((why) => totals.length > 0 || ['files', 'records', 'problems'].includes(why.kind));
  const facts = [
    ...totals.map((total) => totalText(total, state)),
    ...parts.map(({ name, value, answered }) => {
      const shown = (mean: number): string => (countedParts.has(name) ? fixed(mean, 2) : percentToTenth(mean));
      return answered === null || answered === value
        ? l10n.t('mean of {0}: {1}', name, shown(value))
        : l10n.t('mean of {0}: {1}; of those answered {2}', name, shown(value), shown(answered));
    }),
    ...told.map(unofficialText),
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
        ...shown.map((row) => scoreRow(row, row.category, whole)),
        scoreRow(all, shown.length > 0 ? l10n.t('all') : (rows[0]?.category ?? l10n.t('all')), whole),
      ),
    ),
    ...(facts.length === 0 ? [] : [element('ul', { class: 'facts' }, ...facts.map((one) => element('li', {}, one)))]),
  );
}

function totalText(
  { name, value, answered, missing }: EvaluationState['totals'][number],
  { all, unofficial }: Pick<EvaluationState, 'all' | 'unofficial'>,
): string {
  const some = answered === null ? null : percentToTenth(answered);
  if (missing.length > 0) return l10n.t('{0}: not given, as these were not run: {1}', name, missing.join(', '));
  if (unofficial.length > 0 || value === null) {
    return some === null
      ? l10n.t('{0}: no official total', name)
      : l10n.t('{0}: no official total; of those answered {1}', name, some);
  }
  const official = percentToTenth(value);
  return all.attempts === all.asked || some === null
    ? l10n.t('{0}, as its authors compute it: {1}', name, official)
    : l10n.t('{0}, as its authors compute it: {1}; of those answered {2}', name, official, some);
}

function scoreRow(row: EvaluationScoreRow, name: string, whole: boolean): HTMLElement {
  const { tasks, asked, attempts, successes, pass, answered } = row;
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, name),
    element('td', { class: 'number' }, count(tasks)),
    element('td', { class: 'number' }, l10n.t('{0} of {1}', count(successes), count(asked))),
    ...pass.map(({ value, low, high }) =>
      value === null
        ? element('td', { class: 'number' }, '—')
        : element(
            'td',
            { class: 'number' },
            intervalGlyph({ p: value, low, high, tone: 'agent' }, glyphWidth),
            element('span', { class: 'value' }, percentToTenth(value)),
            element('span', { class: 'ends' }, `${fixed(100 * low, 1)}–${fixed(100 * high, 1)}`),
          ),
    ),
    ...(whole
      ? []
      : [
          element(
            'td',
            { class: 'number' },
            answered === null
              ? '—'
              : element('span', { class: 'value' }, l10n.t('{0} of {1}', percentToTenth(answered), count(attempts))),
          ),
        ]),
  );
}
