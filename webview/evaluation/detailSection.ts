/** Tables that a benchmark's authors give beside their totals: of TravelPlanner, by level and days. */
import * as l10n from '@vscode/l10n';
import type { EvaluationState } from '../../src/features/evaluation/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';

type Detail = EvaluationState['details'][number];

/** Closed: they are long and rarely needed. */
export const detailSections = ({ details }: EvaluationState): HTMLElement[] =>
  details.map((detail) =>
    element('details', { class: 'detail' }, element('summary', {}, detail.name), tableOf(detail)),
  );

const tableOf = ({ columns, rows }: Detail): HTMLElement =>
  element(
    'table',
    {},
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('td', {}),
        ...columns.map((name) => element('th', { scope: 'col', class: 'number' }, name)),
      ),
    ),
    element(
      'tbody',
      {},
      ...rows.map(({ name, cells }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, name),
          ...cells.map(({ count: kept, of }) =>
            element('td', { class: 'number' }, of === 0 ? '—' : l10n.t('{0} of {1}', count(kept), count(of))),
          ),
        ),
      ),
    ),
  );
