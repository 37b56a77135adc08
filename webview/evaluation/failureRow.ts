/** One line of a wrong answer: its attempt, and the reason. */
import * as l10n from '@vscode/l10n';
import type { EvaluationFailure } from '../../src/features/evaluation/contract.ts';
import { element } from '../lib/element.ts';
import type { ListRow } from '../lib/lists/virtualList.ts';

/** Pixels. */
export const rowHeight = 26;

const icons = { wrong: 'x', unreadable: 'circle-slash', 'not judged': 'question' };

export function failureRow({ id, task, category, kind, note }: EvaluationFailure, selected: boolean): ListRow {
  const words = {
    wrong: l10n.t('wrong'),
    unreadable: l10n.t('not readable'),
    'not judged': l10n.t('not judged'),
  };
  const attempt = id.split('/').at(-1) ?? '';
  const line = element(
    'span',
    { class: 'row-line', role: 'presentation' },
    cell(
      'row-verdict',
      element('span', { class: `codicon codicon-${icons[kind]}`, 'aria-hidden': 'true' }),
      words[kind],
    ),
    cell('row-id', `${task} ${attempt}`),
    cell('row-category', category),
    cell('row-note', note),
  );
  return {
    name: [words[kind], task, attempt, category, note].filter((part) => part !== '').join(', '),
    cells: [line],
    selected,
  };
}

const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
  element('span', { class: name, role: 'gridcell' }, ...children);
