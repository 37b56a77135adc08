/** The adapter's name, and the mapping of a record to a task. */
import * as l10n from '@vscode/l10n';
import { fieldName, type Path } from '../../src/shared/experiment/text/jsonText.ts';
import { isObject } from '../../src/shared/experiment/resolve.ts';
import { button } from '../lib/components/button.ts';
import { element } from '../lib/element.ts';
import { areaRow, choiceRow, textRow, type Row } from './rows.ts';
import { helpOf } from './schemaText.ts';
import type { Editing, Section } from './section.ts';

/** Rows gathered with the places of their values. */
export class SectionRows {
  readonly rows: Row[] = [];
  readonly paths: Path[] = [];
  readonly #editing: Editing;

  constructor(editing: Editing) {
    this.#editing = editing;
  }

  /** A text; `optional`: an empty one is removed from the file. */
  text(label: string, path: Path, { long = false, optional = false, more = [] }: TextOptions = {}): HTMLElement {
    const editing = this.#editing;
    const make = long ? areaRow : textRow;
    const read = (text: string): unknown => (optional && text === '' ? undefined : text);
    const row = make({
      ...{ label, help: helpOf(path), field: fieldName(path), more },
      input: (text) => editing.later(path, read(text)),
      commit: () => editing.flush(),
      read,
    });
    return this.add(row, path);
  }

  choice(label: string, path: Path, choices: readonly string[], more: readonly HTMLElement[] = []): HTMLElement {
    const change = (to: string): void => this.#editing.now(path, to);
    return this.add(choiceRow({ label, help: helpOf(path), field: fieldName(path), choices, change, more }), path);
  }

  add(row: Row, path: Path): HTMLElement {
    this.rows.push(row);
    this.paths.push(path);
    return row.node;
  }
}

interface TextOptions {
  long?: boolean;
  optional?: boolean;
  more?: readonly HTMLElement[];
}

/** A part of the form under its heading. */
export function section(title: string, rows: SectionRows, ...children: readonly HTMLElement[]): Section {
  const node = element('section', { class: 'group', 'aria-label': title }, element('h2', {}, title), ...children);
  return { node, rows: rows.rows, paths: rows.paths };
}

export function generalSection(editing: Editing): Section {
  const rows = new SectionRows(editing);
  return section(
    l10n.t('Benchmark'),
    rows,
    rows.text(l10n.t('Name'), ['name']),
    rows.text(l10n.t('Description'), ['description'], { long: true, optional: true }),
  );
}

export function taskSection(editing: Editing): Section {
  const rows = new SectionRows(editing);
  const value = editing.value(['task', 'prompt']);
  const turns: readonly unknown[] = Array.isArray(value) ? value : [];
  const put = (next: readonly unknown[]): void => editing.now(['task', 'prompt'], next);
  const add = button({
    text: l10n.t('Add Turn'),
    press: () => put([...turns, { role: 'user', content: '{{ record }}' }]),
  });
  const prompt = turns.map((turn, i) =>
    turnRows(rows, turn, i, turns.length > 1 ? () => put(turns.filter((_, j) => j !== i)) : null),
  );
  return section(
    l10n.t('Task'),
    rows,
    rows.text(l10n.t('Id'), ['task', 'id']),
    element('h3', {}, l10n.t('Prompt')),
    ...prompt,
    element('div', { class: 'row-actions' }, add),
    rows.text(l10n.t('Gold'), ['task', 'gold']),
    rows.text(l10n.t('Category'), ['task', 'category'], { optional: true }),
    rows.text(l10n.t('Family'), ['task', 'family'], { optional: true }),
    ...toolRows(rows, editing),
    ...evaluationRows(rows, editing),
  );
}

const roles = ['system', 'user', 'assistant'];

/** @param path of the turn */
export function turnRows(
  rows: SectionRows,
  turn: unknown,
  i: number,
  remove: (() => void) | null,
  path: Path = ['task', 'prompt', i],
): HTMLElement {
  const name = l10n.t('Remove turn {0}', i + 1);
  const more = remove === null ? [] : [button({ text: l10n.t('Remove'), name, press: remove })];
  if (isObject(turn) && 'messages' in turn) {
    return rows.text(l10n.t('Turns from the record'), [...path, 'messages'], { more });
  }
  return element(
    'div',
    { class: 'turn' },
    rows.choice(l10n.t('Turn {0}: role', i + 1), [...path, 'role'], roles, more),
    rows.text(l10n.t('Turn {0}: content', i + 1), [...path, 'content'], { long: true }),
  );
}

function toolRows(rows: SectionRows, editing: Editing): HTMLElement[] {
  if (editing.value(['task', 'tools']) === undefined) return [];
  const path = (name: string): Path => ['task', 'tools', name];
  return [
    element('h3', {}, l10n.t('Tools')),
    rows.text(l10n.t('List of functions'), path('each')),
    rows.text(l10n.t('Their name'), path('name')),
    rows.text(l10n.t('Their description'), path('description')),
    rows.text(l10n.t('Their parameters'), path('parameters')),
  ];
}

function evaluationRows(rows: SectionRows, editing: Editing): HTMLElement[] {
  const told = ['evaluation', 'verbatim'].flatMap((field) => {
    const value = editing.value(['task', field]);
    return isObject(value) ? Object.keys(value).map((name) => rows.text(name, ['task', field, name])) : [];
  });
  return told.length === 0 ? [] : [element('h3', {}, l10n.t('Other input of the scorer')), ...told];
}
