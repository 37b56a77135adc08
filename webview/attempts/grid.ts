/** Attempts as columns, their facts as rows: one tab stop, arrow keys between the cells. */
import * as l10n from '@vscode/l10n';
import type { ShownAttempt } from '../../src/features/attempts/contract.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';
import type { AnswerGroup } from './groups.ts';
import { rowsOf, verdictWord, type Row } from './rows.ts';

export interface GridActions {
  open: (trace: string) => void;
  /** Attempts against the reference. */
  compare: (first: string, second: string) => void;
  /** The others are compared with this one from now on. */
  refer: (trace: string) => void;
}

const marks: Record<ShownAttempt['verdict'], string> = { solved: 'check', unsolved: 'x', unjudged: 'question' };

/** Where the keyboard is: a row, null for the heads, and an attempt. */
interface Place {
  row: string | null;
  attempt: string;
}

export class Grid {
  readonly node: HTMLElement;
  readonly #actions: GridActions;
  readonly #table = element('table', { role: 'grid' });
  readonly #cells = new Map<string, HTMLElement>();
  #groups: readonly AnswerGroup[] = [];
  #rows: readonly Row[] = [];
  #reference = '';
  #at: Place | null = null;

  constructor(actions: GridActions) {
    this.#actions = actions;
    this.node = element('div', { class: 'grid' }, this.#table);
    this.#table.addEventListener('keydown', (event) => this.#key(event));
    this.#table.addEventListener('focusin', ({ target }) => this.#entered(target));
  }

  /** A column a group of equal answers. */
  show(label: string, groups: readonly AnswerGroup[], reference: string): void {
    const attempts = groups.map(({ shown }) => shown);
    const focused = this.node.contains(document.activeElement);
    this.#groups = groups;
    this.#reference = reference;
    this.#rows = rowsOf(attempts);
    this.#cells.clear();
    this.#table.setAttribute('aria-label', label);
    this.#table.setAttribute('aria-rowcount', String(this.#rows.length + 1));
    this.#table.setAttribute('aria-colcount', String(attempts.length + 1));
    const against = attempts.find(({ id }) => id === reference);
    this.#table.replaceChildren(
      element('thead', {}, element('tr', {}, corner(), ...groups.map((group) => this.#head(group)))),
      element('tbody', {}, ...this.#rows.map((row) => this.#row(row, against))),
    );
    const kept = this.#at !== null && this.#cells.has(keyOf(this.#at)) ? this.#at : null;
    this.#at = kept ?? (attempts[0] === undefined ? null : { row: null, attempt: attempts[0].id });
    if (this.#at !== null) this.#cell(this.#at)?.setAttribute('tabindex', '0');
    if (focused && this.#at !== null) this.#cell(this.#at)?.focus();
  }

  #head({ shown, names }: AnswerGroup): HTMLElement {
    const { id, name, verdict } = shown;
    const own = id === this.#reference;
    const word = verdictWord(verdict);
    const button = (icon: string, label: string, act: () => void): HTMLElement => {
      const made = element('button', {
        type: 'button',
        class: 'icon-button',
        tabindex: '-1',
        title: label,
        'aria-label': label,
      });
      made.append(element('span', { class: `codicon codicon-${icon}`, 'aria-hidden': 'true' }));
      made.addEventListener('click', act);
      return made;
    };
    const head = element(
      'th',
      { scope: 'col', role: 'columnheader', tabindex: '-1', class: own ? 'reference' : '' },
      element(
        'span',
        { class: `verdict verdict-${verdict}` },
        element('span', { class: `codicon codicon-${marks[verdict]}`, 'aria-hidden': 'true' }),
        ...(names.length === 1
          ? []
          : [element('span', { class: 'times', title: names.join(', ') }, l10n.t('{0} ×', count(names.length)))]),
        element('span', { class: 'name' }, name),
        element('span', { class: 'word' }, word),
      ),
      element(
        'span',
        { class: 'buttons' },
        button('go-to-file', l10n.t('Open {0}', name), () => this.#actions.open(id)),
        ...(own
          ? []
          : [
              button('diff', l10n.t('Difference from the reference'), () => this.#actions.compare(this.#reference, id)),
              button('pin', l10n.t('Compare the others with {0}', name), () => this.#actions.refer(id)),
            ]),
      ),
      ...(names.length === 1
        ? []
        : [element('span', { class: 'pinned' }, l10n.t('also {0}', names.slice(1).join(', ')))]),
      ...(own ? [element('span', { class: 'pinned' }, l10n.t('the others are compared with it'))] : []),
    );
    this.#cells.set(keyOf({ row: null, attempt: id }), head);
    head.dataset['attempt'] = id;
    return head;
  }

  #row(row: Row, reference: ShownAttempt | undefined): HTMLElement {
    const cells = this.#groups.map(({ shown: attempt }) => {
      const filling = reference === undefined ? [] : row.fill(attempt, reference);
      const cell = element('td', { role: 'gridcell', tabindex: '-1' }, ...filling);
      cell.dataset['attempt'] = attempt.id;
      cell.dataset['row'] = row.key;
      this.#cells.set(keyOf({ row: row.key, attempt: attempt.id }), cell);
      return cell;
    });
    const kind = row.key.startsWith('turn') ? 'turn' : `fact fact-${row.key}`;
    return element('tr', { class: kind }, element('th', { scope: 'row', role: 'rowheader' }, row.title), ...cells);
  }

  #cell(place: Place): HTMLElement | undefined {
    return this.#cells.get(keyOf(place));
  }

  #entered(target: EventTarget | null): void {
    const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-attempt]') : null;
    const attempt = cell?.dataset['attempt'];
    if (attempt !== undefined) this.#stand({ row: cell?.dataset['row'] ?? null, attempt });
  }

  #stand(place: Place): void {
    if (this.#at !== null) this.#cell(this.#at)?.setAttribute('tabindex', '-1');
    this.#at = place;
    this.#cell(place)?.setAttribute('tabindex', '0');
  }

  #key(event: KeyboardEvent): void {
    if (this.#at === null || event.altKey || event.metaKey) return;
    const { attempt } = this.#at;
    const go = this.#step(event, this.#at);
    if (go !== null) {
      this.#stand(go);
      this.#cell(go)?.focus();
    } else if (event.target instanceof HTMLButtonElement || event.ctrlKey) return;
    else if (event.key === 'Enter') this.#actions.open(attempt);
    else if (event.key === 'd' && attempt !== this.#reference) this.#actions.compare(this.#reference, attempt);
    else if (event.key === 'r' && attempt !== this.#reference) this.#actions.refer(attempt);
    else return;
    event.preventDefault();
  }

  /** Where a key leads; null for a key that leads nowhere else. */
  #step({ key, ctrlKey }: KeyboardEvent, { row, attempt }: Place): Place | null {
    const columns = this.#groups.map(({ shown }) => shown.id);
    const rows = [null, ...this.#rows.map((one) => one.key)];
    const [x, y] = [columns.indexOf(attempt), rows.indexOf(row)];
    const at = (column: number, line: number): Place | null => {
      const id = columns[Math.min(columns.length - 1, Math.max(0, column))];
      const to = rows[Math.min(rows.length - 1, Math.max(0, line))];
      return id === undefined || to === undefined ? null : { row: to, attempt: id };
    };
    switch (key) {
      case 'ArrowLeft':
        return at(x - 1, y);
      case 'ArrowRight':
        return at(x + 1, y);
      case 'ArrowUp':
        return at(x, y - 1);
      case 'ArrowDown':
        return at(x, y + 1);
      case 'Home':
        return at(0, ctrlKey ? 0 : y);
      case 'End':
        return at(columns.length - 1, ctrlKey ? rows.length - 1 : y);
      default:
        return null;
    }
  }
}

const keyOf = ({ row, attempt }: Place): string => `${row ?? ''}\n${attempt}`;

const corner = (): HTMLElement =>
  element('th', { scope: 'col', role: 'columnheader', class: 'corner' }, l10n.t('Attempt'));
