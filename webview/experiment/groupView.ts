/** One group of fields in parts; below them, folded, those that have no effect beside the other settings. */
import * as l10n from '@vscode/l10n';
import { element } from '../lib/element.ts';
import { prose } from '../lib/symbols.ts';
import { fieldRow, type FieldRow, type RowHost } from './fieldRow.ts';
import type { Found } from './finder.ts';
import type { FormModel } from './formModel.ts';
import { titleOf, type Group } from './groups.ts';

/** Fields of a group. */
export interface Counts {
  all: number;
  /** Those that the search finds, folded ones too. */
  found: number;
  /** Those that differ from the preset. */
  differing: number;
  hasError: boolean;
}

interface PartView {
  node: HTMLElement;
  rows: readonly FieldRow[];
}

export class GroupView {
  readonly group: Group;
  readonly node: HTMLElement;
  readonly rows: readonly FieldRow[];
  readonly #parts: readonly PartView[];
  readonly #line = element('summary', {});
  readonly #fold = element('details', { class: 'fold', hidden: '' }, this.#line);
  /** As a person left it; a search shows what it finds all the same. */
  #isOpen: boolean;
  #isSearching = false;

  /**
   * @param isOpen whether its fold is open
   * @param folded a person opened or closed the fold
   */
  constructor(group: Group, host: RowHost, isOpen: boolean, folded: () => void) {
    this.group = group;
    this.#isOpen = isOpen;
    this.#fold.open = isOpen;
    this.#parts = group.parts.map(({ title, fields }) => {
      const rows = fields.map((path) => fieldRow(path, host));
      const heading = title === '' ? [] : [element('h3', {}, l10n.t(title))];
      return { rows, node: element('div', { class: 'part' }, ...heading, ...rows.map(({ node }) => node)) };
    });
    this.rows = this.#parts.flatMap(({ rows }) => rows);
    this.#fold.addEventListener('toggle', () => {
      if (this.#isSearching || this.#fold.open === this.#isOpen) return;
      this.#isOpen = this.#fold.open;
      folded();
    });
    const fields = element('div', {}, ...this.#parts.map(({ node }) => node), this.#fold);
    this.node = element(
      'section',
      { class: 'group', id: `group-${group.id}`, 'aria-labelledby': `title-${group.id}` },
      element('h2', { id: `title-${group.id}`, tabindex: '-1' }, titleOf(group)),
      element('p', { class: 'group-about' }, ...prose(l10n.t(group.about))),
      element('div', { class: 'group-body' }, fields),
    );
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Draws the figure beside the fields. */
  addFigure(node: HTMLElement): void {
    this.node.querySelector('.group-body')?.append(node);
  }

  /** Opens the fold where a row is in it. */
  reveal({ node }: FieldRow): void {
    if (this.#fold.contains(node)) this.#fold.open = true;
  }

  update(model: FormModel, { text, onlyDiffering }: Found): Counts {
    let [all, differing, hasError] = [0, 0, false];
    for (const row of this.rows) {
      const exists = model.exists(row.path);
      const differs = exists && model.differs(row.path);
      // On its way to another value one that is typed may equal the preset's.
      const isTyped = row.node.contains(document.activeElement);
      row.node.hidden = !exists || !matches(row, text) || (onlyDiffering && !differs && !isTyped);
      if (exists) all += 1;
      if (differs) differing += 1;
      if (model.problemsOf(row.path).some(({ severity }) => severity === 'error')) hasError = true;
    }
    const folded = this.#arrange(model);
    for (const row of this.rows) row.update(model);
    for (const { node, rows } of this.#parts)
      node.hidden = rows.every((row) => row.node.hidden || folded.includes(row));
    const foldedFound = folded.filter(({ node }) => !node.hidden).length;
    this.#showFold(foldedFound, text !== '');
    const found = this.rows.filter(({ node }) => !node.hidden).length;
    this.node.hidden = found === 0;
    return { all, found, differing, hasError };
  }

  /** @returns the rows in the fold */
  #arrange(model: FormModel): FieldRow[] {
    const folded = this.rows.filter((row) => {
      // The focus would be lost on the way.
      if (row.node.contains(document.activeElement)) return this.#fold.contains(row.node);
      return isIdle(row, model);
    });
    place(this.#fold, folded);
    for (const { node, rows } of this.#parts) {
      place(
        node,
        rows.filter((row) => !folded.includes(row)),
      );
    }
    return folded;
  }

  #showFold(count: number, isSearching: boolean): void {
    const words = count === 1 ? l10n.t('1 field without effect here') : l10n.t('{0} fields without effect here', count);
    this.#fold.hidden = count === 0;
    if (this.#line.textContent !== words) this.#line.textContent = words;
    if (isSearching !== this.#isSearching) this.#fold.open = isSearching || this.#isOpen;
    this.#isSearching = isSearching;
  }
}

/** One that the file sets, or that something is wrong with, stays at its place and says there why it does nothing. */
const isIdle = ({ path }: FieldRow, model: FormModel): boolean =>
  model.isIdle(path) && !model.differs(path) && model.problemsOf(path).length === 0;

/** Puts rows into a node in their order; those that are there stay, since a moved control is drawn anew. */
function place(into: HTMLElement, rows: readonly FieldRow[]): void {
  let next: HTMLElement | null = null;
  for (const { node } of rows.toReversed()) {
    if (node.parentElement !== into) into.insertBefore(node, next);
    next = node;
  }
}

/** Every word of a search stands somewhere in the row. */
const matches = ({ text }: FieldRow, search: string): boolean =>
  search.split(/\s+/).every((word) => text.includes(word));
