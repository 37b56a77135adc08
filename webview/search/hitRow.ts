/** One line of the list: its record, and the text around the match. */
import * as l10n from '@vscode/l10n';
import type { SearchRow } from '../../src/features/search/contract/page.ts';
import { count, rate } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import type { ListRow } from '../lib/lists/virtualList.ts';

/** Pixels. */
export const rowHeight = 44;

export function hitRow(row: SearchRow, selected: boolean): ListRow {
  const { id, match, more } = row;
  const facts = [l10n.t('epoch {0}', row.epoch), ...(match === null ? [] : [placeOf(row, match)])];
  const rest = more === 0 ? [] : [l10n.t('and {0} more', count(more))];
  const first = element(
    'span',
    { class: 'row-line', role: 'presentation' },
    cell('row-verdict', ...verdictOf(row)),
    cell('row-id', id),
    cell('row-facts', [...facts, ...rest].join(' · ')),
  );
  const said = cell('row-line row-snippet', ...(match === null ? [] : snippetOf(match.snippet)));
  const name = [id, verdictWord(row), ...facts, match?.snippet.text ?? '', ...rest]
    .filter((part) => part !== '')
    .join(', ');
  return { name, cells: match === null ? [first] : [first, said], selected };
}

const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
  element('span', { class: name, role: 'gridcell' }, ...children);

function snippetOf({ text, start, end }: { text: string; start: number; end: number }): (Node | string)[] {
  return [text.slice(0, start), element('mark', {}, text.slice(start, end)), text.slice(end)];
}

function placeOf({ kind }: SearchRow, { turn, of }: NonNullable<SearchRow['match']>): string {
  const where = kind === 'task' ? l10n.t('prompt') : l10n.t('turn {0}', turn + 1);
  return of === 'reasoning' ? `${where}, ${l10n.t('reasoning')}` : where;
}

const icons = { solved: 'check', failed: 'x', error: 'question' };

/** Shape and word beside the colour. */
function verdictOf({ verdict, reward }: SearchRow): (Node | string)[] {
  if (verdict === null) return [element('span', { class: 'codicon codicon-note', title: l10n.t('task') })];
  const icon = element('span', {
    class: `codicon codicon-${icons[verdict]} verdict-${verdict}`,
    'aria-hidden': 'true',
  });
  return [icon, rate(reward ?? 0)];
}

function verdictWord({ verdict, reward }: SearchRow): string {
  if (verdict === null) return l10n.t('task');
  const words = { solved: l10n.t('solved'), failed: l10n.t('failed'), error: l10n.t('not judged') };
  return l10n.t('{0}, reward {1}', words[verdict], rate(reward ?? 0));
}
