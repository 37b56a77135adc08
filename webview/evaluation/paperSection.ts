/** The paper's figures on the benchmark, marked as the paper's: its protocol differs. */
import * as l10n from '@vscode/l10n';
import type { EvaluationState } from '../../src/features/evaluation/contract.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { element } from '../lib/element.ts';
import { fixed } from '../../src/shared/text/figures/numbers.ts';

/** Pixels. */
const glyphWidth = 84;

/** Nothing for benchmarks that the paper lacks. */
export function paperSection({ paper }: EvaluationState): HTMLElement[] {
  if (paper === null) return [];
  if (paper.models === null) return [elsewhere(paper)];
  const models = Object.entries(paper.models).toSorted(([, a], [, b]) => b - a);
  return [
    element(
      'section',
      { class: 'paper' },
      element('h2', {}, l10n.t('Paper-reported on {0}', paper.benchmark)),
      element(
        'p',
        { class: 'quiet' },
        l10n.t('arXiv 2512.19682, Table 1; {0}. A landmark, not a baseline.', paper.protocol),
      ),
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            element('th', { scope: 'col' }, l10n.t('Model')),
            element('th', { scope: 'col', class: 'number' }, l10n.t('Success, paper-reported')),
          ),
        ),
        element(
          'tbody',
          {},
          ...models.map(([name, value]) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, name),
              element(
                'td',
                { class: 'number' },
                intervalGlyph({ p: value / 100, low: value / 100, high: value / 100, tone: 'ink' }, glyphWidth),
                element('span', { class: 'value' }, `${fixed(value, 1)} %`),
              ),
            ),
          ),
        ),
      ),
    ),
  ];
}

/** The protocol of the paper's figures, which are not shown beside those of another one. */
const elsewhere = ({ benchmark, protocol, differs }: NonNullable<EvaluationState['paper']>): HTMLElement =>
  element(
    'section',
    { class: 'paper-note' },
    element('h2', {}, l10n.t('The paper on {0}', benchmark)),
    element('p', { class: 'quiet' }, l10n.t('arXiv 2512.19682, Table 1, measured otherwise: {0}.', protocol)),
    ...(differs === null
      ? []
      : [element('p', { class: 'quiet' }, l10n.t('Here {0}, so its figures are not comparable.', differs))]),
  );
