/** One run, or a head of several, as cells of the table; and the same to be heard and to be saved. */
import * as l10n from '@vscode/l10n';
import type { RunRow } from '../../src/features/runTable/contract.ts';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import { duration } from '../../src/shared/text/figures/durations.ts';
import { ends, interval } from '../../src/shared/text/figures/intervals.ts';
import { rowMoment } from '../../src/shared/text/figures/moments.ts';
import { approximate, count, fixed, rate } from '../../src/shared/text/figures/numbers.ts';
import { percent, points } from '../../src/shared/text/figures/shares.ts';
import { intervalGlyph } from '../charts/intervalGlyph.ts';
import { element } from '../lib/element.ts';
import type { ListRow } from '../lib/lists/virtualList.ts';
import type { Cell } from '../lib/csv.ts';
import { columns, type Column, type GroupLine, type RunLine } from './arrange.ts';

/** Pixels. */
export const rowHeight = 28;
/** Of one step of a branch. */
const step = 16;

export function columnName(column: Column): string {
  const names: Record<Column, string> = {
    name: l10n.t({ message: 'Run', comment: 'Heads a column of runs' }),
    state: l10n.t('State'),
    differs: l10n.t('Settings that differ'),
    rate: l10n.t('p̂'),
    gain: l10n.t('Validation Δ, points'),
    rollouts: l10n.t('Rollouts'),
    tokens: l10n.t('Tokens'),
    left: l10n.t('Time left'),
    cost: l10n.t('Cost'),
    started: l10n.t('Started'),
  };
  return names[column];
}

export const isNumber = (column: Column): boolean => ['rollouts', 'tokens', 'left', 'cost'].includes(column);

export function stateWord(state: RunRow['state']): string {
  const words: Record<RunRow['state'], string> = {
    running: l10n.t('running'),
    paused: l10n.t('paused'),
    interrupted: l10n.t('interrupted'),
    failed: l10n.t('failed'),
    stopped: l10n.t('stopped'),
    finished: l10n.t('finished'),
  };
  return words[state];
}

const icons: Record<RunRow['state'], string> = {
  running: 'sync',
  paused: 'debug-pause',
  interrupted: 'debug-disconnect',
  failed: 'error',
  stopped: 'debug-stop',
  finished: 'pass',
};

function gainText({ figures }: RunRow): string {
  const gain = figures?.gain ?? null;
  return gain === null ? '' : `${points(gain.difference)} ${ends(points(gain.low), points(gain.high))}`;
}

function text(row: RunRow, column: Column): string {
  const { figures } = row;
  switch (column) {
    case 'name':
      return row.name;
    case 'state':
      return row.state !== 'finished' || row.epoch < row.epochs
        ? l10n.t('{0} {1}/{2}', stateWord(row.state), row.current, row.epochs)
        : stateWord(row.state);
    case 'differs':
      return row.differs;
    case 'rate':
      return row.successRate?.p == null ? '' : rate(row.successRate.p);
    case 'gain':
      return gainText(row);
    case 'rollouts':
      return figures === null ? '…' : count(figures.rollouts);
    case 'tokens':
      return figures === null ? '…' : figures.tokens === null ? l10n.t('not known') : approximate(figures.tokens);
    case 'left':
      return figures?.left == null ? '' : duration(figures.left);
    case 'cost':
      return figures?.cost == null ? '' : fixed(figures.cost, 2);
    case 'started':
      return rowMoment(row.startedAt);
  }
}

/** @param name takes the place of the name while it is edited */
export function runCells(
  { row, rails }: RunLine,
  selected: boolean,
  shown: readonly Column[],
  name: Node | null,
): ListRow {
  const cells = shown.map((column, i) => {
    const said = withMarksShown(text(row, column));
    const attributes = {
      class: `cell cell-${column}${isNumber(column) ? ' number' : ''}`,
      role: i === 0 ? 'rowheader' : 'gridcell',
      'aria-colindex': String(columns.indexOf(column) + 1),
    };
    if (column === 'name') return element('span', attributes, ...nameParts(row, rails, name));
    if (column === 'state') {
      const icon = element('span', {
        class: `codicon codicon-${icons[row.state]} state-${row.state}`,
        'aria-hidden': 'true',
      });
      return element('span', attributes, icon, said);
    }
    if (column === 'rate') return element('span', attributes, ...rateParts(row));
    const cell = element('span', attributes, said === '' ? '–' : said);
    if (said === '') cell.classList.add('quiet');
    if (column === 'differs') cell.title = said;
    return cell;
  });
  return { name: spoken(row, shown), cells, selected };
}

function nameParts(row: RunRow, rails: readonly boolean[], input: Node | null): Node[] {
  const parts: Node[] = [];
  if (rails.length > 0) parts.push(graph(rails));
  if (row.pinned) parts.push(mark('pinned', l10n.t('pinned')));
  if (input !== null) return [...parts, input];
  const name = element('span', { class: 'name', title: `${row.name}\n${row.id}` }, withMarksShown(row.name));
  parts.push(name);
  if (row.note !== '') parts.push(mark('note', row.note));
  for (const tag of row.tags) parts.push(element('span', { class: 'tag' }, withMarksShown(tag)));
  if (row.archived) parts.push(element('span', { class: 'tag tag-archived' }, l10n.t('archived')));
  return parts;
}

const mark = (icon: string, title: string): HTMLElement =>
  element('span', { class: `codicon codicon-${icon}`, title, 'aria-hidden': 'true' });

/** Lines from a run to its branches, as git draws them. */
function graph(rails: readonly boolean[]): HTMLElement {
  const node = element('span', { class: 'graph', 'aria-hidden': 'true' });
  node.style.width = `${rails.length * step}px`;
  for (const [depth, more] of rails.entries()) {
    const last = depth === rails.length - 1;
    if (!last && !more) continue;
    const rail = element('span', { class: `rail${last ? ' rail-own' : ''}${more ? ' rail-more' : ''}` });
    rail.style.insetInlineStart = `${depth * step + 6}px`;
    node.append(rail);
  }
  return node;
}

function rateParts({ successRate, band, inBand }: RunRow): (Node | string)[] {
  if (successRate?.p == null) return [element('span', { class: 'quiet' }, '–')];
  const { p, low, high } = successRate;
  const glyph = intervalGlyph({ p, low, high, band, tone: 'agent' }, 64, 12);
  const share = inBand === null ? '' : l10n.t('{0} of the families in the band', percent(inBand));
  const title = `${rate(p)} [${interval(low, high)}] ${share}`.trim();
  return [glyph, element('span', { title }, rate(p))];
}

export function spoken(row: RunRow, shown: readonly Column[]): string {
  const of = row.parent === null ? [] : [l10n.t('branch from epoch {0}', row.parent.epoch)];
  const said = shown.flatMap((column) => {
    const value = text(row, column);
    return column === 'name' || value === '' || value === '…' ? [] : [`${columnName(column)} ${value}`];
  });
  return [
    row.name,
    ...(row.pinned ? [l10n.t('pinned')] : []),
    ...(row.archived ? [l10n.t('archived')] : []),
    ...of,
    ...row.tags.map((tag) => l10n.t('tag {0}', tag)),
    ...(row.note === '' ? [] : [l10n.t('has a note')]),
    ...said,
  ].join(', ');
}

export function groupCells({ name, rows }: GroupLine, selected: boolean): ListRow {
  const title = name === '' ? l10n.t('None') : withMarksShown(name);
  const finished = rows.filter(({ state }) => state === 'finished').length;
  const gains = rows.flatMap(({ figures }) => figures?.gain?.difference ?? []);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const facts = [
    rows.length === 1 ? l10n.t('1 run') : l10n.t('{0} runs', count(rows.length)),
    l10n.t('{0} finished', count(finished)),
    ...(gains.length === 0 ? [] : [l10n.t('mean validation Δ {0}', points(mean))]),
  ].join(' · ');
  const cell = element(
    'span',
    { class: 'cell cell-group', role: 'rowheader', 'aria-colindex': '1', 'aria-colspan': String(columns.length) },
    element('span', { class: 'name' }, title),
    element('span', { class: 'quiet' }, facts),
  );
  return { name: `${title}, ${facts}`, cells: [cell], selected };
}

const savedColumns = [
  ...['run', 'id', 'experiment', 'study', 'arm', 'seed', 'state', 'epoch', 'epochs', 'differs', 'p', 'p low', 'p high'],
  ...['in band', 'validation', 'gain', 'gain low', 'gain high', 'rollouts', 'tokens', 'seconds', 'cost', 'started'],
  ...['branch of', 'branch epoch', 'tags', 'pinned', 'archived', 'note', 'folder'],
];

/** Everything that is known of runs, for a file. */
export function saved(rows: readonly RunRow[]): { columns: string[]; rows: Cell[][] } {
  return {
    columns: savedColumns,
    rows: rows.map((row) => {
      const { study, figures, successRate, parent } = row;
      return [
        ...[row.name, row.id, row.experiment, study?.name ?? null, study?.arm ?? null, row.seed, row.state, row.epoch],
        ...[row.epochs, row.differs, successRate?.p ?? null, successRate?.low ?? null, successRate?.high ?? null],
        ...[row.inBand, figures?.validation ?? null, figures?.gain?.difference ?? null, figures?.gain?.low ?? null],
        ...[figures?.gain?.high ?? null, figures?.rollouts ?? null, figures?.tokens ?? null, figures?.seconds ?? null],
        ...[figures?.cost ?? null, row.startedAt, parent?.dir.split(/[\\/]/).at(-1) ?? null, parent?.epoch ?? null],
        ...[row.tags.join(' '), row.pinned ? 1 : 0, row.archived ? 1 : 0, row.note, row.dir],
      ];
    }),
  };
}
