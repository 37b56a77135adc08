/** One task in the list: two lines, and the same to be heard. */
import { flagWord } from '../../src/features/health/core/flagWord.ts';
import * as l10n from '@vscode/l10n';
import { successRate } from '../../src/engine/math/successRate.ts';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import type { TaskRow } from '../../src/features/tasks/contract.ts';
import { count, fixed, number } from '../../src/shared/text/figures/numbers.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { element } from '../lib/element.ts';
import type { ListRow } from '../lib/lists/virtualList.ts';
import { attemptsText, flagMeaning, rateSpoken, rateText, statusWord } from './words.ts';

/** Pixels. */
export const rowHeight = 46;

export interface RowState {
  selected: boolean;
  /** It has text that is typed and not in the task yet. */
  unsaved: boolean;
  /** Attempts are recorded where it comes from. */
  attempted: boolean;
}

export function rowView(row: TaskRow, { selected, unsaved, attempted }: RowState): ListRow {
  const isDamaged = row.status === 'damaged';
  const cell = (name: string, ...children: (Node | string)[]): HTMLElement =>
    element('span', { class: name, role: 'gridcell' }, ...children);
  const first = element('span', { class: 'row-line', role: 'presentation' }, cell('row-id', withMarksShown(row.name)));
  if (row.edited) first.append(cell('row-edited', l10n.t('edited')));
  if (unsaved) first.append(cell('row-edited', l10n.t('unfinished')));
  first.append(cell('row-title', withMarksShown(row.title)));
  const second = element(
    'span',
    { class: 'row-line row-facts', role: 'presentation' },
    ...(isDamaged ? [] : [attempted ? cell('row-rate', ...rateParts(row)) : cell('row-length', lengthText(row))]),
  );
  if (row.status !== 'accepted') second.append(badge(`badge badge-${row.status}`, statusWord(row.status)));
  for (const flag of row.flags) second.append(badge('badge badge-flag', flagWord(flag), flagMeaning(flag)));
  // A list with room shows these before the flags (tasks.css).
  if (row.epoch > 0) second.append(lesser('row-epoch', l10n.t('epoch {0}', row.epoch)));
  if (!isDamaged && attempted && row.rate.attempts > 0) second.append(lesser('row-marks', attemptsText(row.rate)));
  if (row.weight !== null) second.append(lesser('row-weight', weightText(row.weight)));
  for (const tag of row.tags) second.append(badge('badge badge-tag', `#${tag}`));
  return { name: spoken(row, unsaved, attempted), cells: [first, second], selected };
}

function rateParts({ rate }: TaskRow): (Node | string)[] {
  const { p, low, high } = successRate(rate.successes, rate.attempts);
  if (p === null) return [element('span', { class: 'quiet' }, rateText(rate))];
  return [
    intervalGlyph({ p, low, high, tone: 'agent' }, 64, 12),
    element('span', { class: 'row-p', title: rateText(rate) }, fixed(p, 2)),
  ];
}

/** A cell that gives way to flags. */
const lesser = (name: string, text: string): HTMLElement => badge(name, text, text);

/** A small label; its meaning on hovering. */
export function badge(name: string, text: string, meaning = ''): HTMLElement {
  const node = element('span', { class: name, role: 'gridcell' }, text);
  if (meaning !== '') node.title = meaning;
  return node;
}

export const weightText = (weight: number): string => l10n.t('weight {0}', number(weight));

const lengthText = ({ length }: TaskRow): string => l10n.t('{0} characters', count(length));

function spoken(row: TaskRow, unsaved: boolean, attempted: boolean): string {
  return [
    row.name,
    ...(row.edited ? [l10n.t('edited')] : []),
    ...(unsaved ? [l10n.t('unfinished')] : []),
    ...(row.status === 'damaged' ? [] : [attempted ? rateSpoken(row.rate) : lengthText(row)]),
    ...(row.epoch === 0 ? [] : [l10n.t('epoch {0}', count(row.epoch))]),
    ...(row.weight === null ? [] : [weightText(row.weight)]),
    ...(row.status === 'accepted' ? [] : [statusWord(row.status)]),
    ...row.flags.map(flagWord),
    ...row.tags.map((tag) => l10n.t('tag {0}', tag)),
    withMarksShown(row.title),
  ].join(', ');
}
