/** One line of the list: an attempt that flips, or a family that enters or leaves the band. */
import * as l10n from '@vscode/l10n';
import type { RescoreRow } from '../../src/features/rescore/contract/page.ts';
import { rate } from '../../src/shared/text/figures/numbers.ts';
import { signed } from '../../src/shared/text/figures/shares.ts';
import { element } from '../lib/element.ts';
import type { ListRow } from '../lib/lists/virtualList.ts';

/** Pixels. */
export const rowHeight = 26;

type Fate = Extract<RescoreRow, { kind: 'flip' }>['fate']['before'];

const icons: Record<Fate, string> = { solved: 'check', failed: 'x', error: 'question' };

export function flipRow(row: RescoreRow, selected: boolean): ListRow {
  const change = changeOf(row);
  const values = valuesOf(row);
  const id = row.kind === 'flip' ? row.id : row.family;
  const note = row.kind === 'flip' ? (row.note ?? '') : l10n.t('epoch {0}', row.epoch);
  return {
    name: [id, change.words, values, note].filter((part) => part !== '').join(', '),
    cells: [
      element(
        'span',
        { class: 'row-line', role: 'presentation' },
        cell('row-change', ...change.shown),
        cell('row-values', values),
        cell('row-id', id),
        cell('row-note', note),
      ),
    ],
    selected,
  };
}

const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
  element('span', { class: name, role: 'gridcell' }, ...children);

/** Shape and word beside the colour. */
function changeOf(row: RescoreRow): { words: string; shown: (Node | string)[] } {
  if (row.kind === 'family') {
    const words = row.enters ? l10n.t('enters the band') : l10n.t('leaves the band');
    return { words, shown: [icon(row.enters ? 'arrow-right' : 'arrow-left', ''), words] };
  }
  const { before, after } = row.fate;
  if (before === after)
    return {
      words: l10n.t('still {0}', word(after)),
      shown: [icon(icons[after], after), l10n.t('still {0}', word(after))],
    };
  const words = l10n.t('{0} → {1}', word(before), word(after));
  return { words, shown: [icon(icons[before], before), '→ ', icon(icons[after], after), word(after)] };
}

const icon = (name: string, fate: string): HTMLElement =>
  element('span', { class: `codicon codicon-${name} fate-${fate}`, 'aria-hidden': 'true' });

const word = (fate: Fate): string =>
  ({ solved: l10n.t('solved'), failed: l10n.t('not solved'), error: l10n.t('not judged') })[fate];

/** `0.10 → 1.00`: rewards of an attempt, p̂ of a family. */
function valuesOf(row: RescoreRow): string {
  const said = (value: number | null): string => (value === null ? '–' : rate(value));
  if (row.kind === 'family') return `p̂ ${said(row.successRate.before)} → ${said(row.successRate.after)}`;
  const { reward, fate, advantage } = row;
  if (advantage !== null) return l10n.t('advantage {0} → {1}', signed(advantage.before, 2), signed(advantage.after, 2));
  return `${said(fate.before === 'error' ? null : reward.before)} → ${said(fate.after === 'error' ? null : reward.after)}`;
}
