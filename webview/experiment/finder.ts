/** Search, differences, and the table of contents: ways to a field. */
import { checkbox } from '../lib/components/checkbox.ts';
import { textField } from '../lib/components/textField.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { titleOf, type Group } from './groups.ts';

export interface Found {
  text: string;
  onlyDiffering: boolean;
}

export interface FinderOptions {
  groups: readonly Group[];
  /** The searched text changed: see `found`. */
  find(): void;
  goTo(group: Group): void;
}

export class Finder {
  readonly bar: HTMLElement;
  readonly contents: HTMLElement;
  readonly #options: FinderOptions;
  readonly #search;
  readonly #only;
  readonly #result = element('span', { class: 'result', role: 'status' });
  readonly #entries = new Map<string, { link: HTMLButtonElement; note: HTMLElement }>();
  #found: Found = { text: '', onlyDiffering: false };

  constructor(options: FinderOptions) {
    this.#options = options;
    this.#search = textField({
      name: l10n.t('Search settings'),
      placeholder: l10n.t('Search settings'),
      input: (text) => this.#change({ text: text.trim().toLowerCase() }),
      key: (event) => event.key === 'Escape' && this.clear(),
    });
    this.#only = checkbox({
      text: l10n.t('Only what differs from the preset'),
      change: (onlyDiffering) => this.#change({ onlyDiffering }),
    });
    this.bar = element('div', { class: 'finder', role: 'search' }, this.#search.node, this.#only.node, this.#result);
    this.contents = element(
      'nav',
      { class: 'contents', 'aria-label': l10n.t('Groups of settings') },
      element('ul', {}, ...options.groups.map((group) => this.#entry(group))),
    );
  }

  get found(): Found {
    return this.#found;
  }

  focus(): void {
    this.#search.node.focus();
  }

  /** As it was when the page was last there. */
  restore(found: Found): void {
    this.#found = found;
    this.#search.set(found.text);
    this.#only.set(found.onlyDiffering);
  }

  /** True when there was something to clear. */
  clear(): boolean {
    if (this.#found.text === '' && !this.#found.onlyDiffering) return false;
    this.restore({ text: '', onlyDiffering: false });
    this.#options.find();
    return true;
  }

  /** Beside each group: how many of its fields differ, and whether something is wrong there. */
  note(group: string, differing: number, wrong: boolean, shown: boolean): void {
    const entry = this.#entries.get(group);
    if (entry === undefined) return;
    entry.link.hidden = !shown;
    entry.note.textContent = String(differing);
    entry.note.hidden = differing === 0;
    entry.note.title = l10n.t('{0} differ from the preset', differing);
    entry.link.classList.toggle('wrong', wrong);
  }

  count(shown: number, all: number): void {
    this.#result.textContent = shown === all ? '' : l10n.t('{0} of {1} settings', shown, all);
  }

  mark(group: string | null): void {
    for (const [id, { link }] of this.#entries) {
      if (id === group) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  }

  #change(part: Partial<Found>): void {
    this.#found = { ...this.#found, ...part };
    this.#options.find();
  }

  #entry(group: Group): HTMLElement {
    const note = element('span', { class: 'differing', hidden: '' });
    const link = element('button', { type: 'button' }, element('span', {}, titleOf(group)), note);
    link.addEventListener('click', () => this.#options.goTo(group));
    this.#entries.set(group.id, { link, note });
    return element('li', {}, link);
  }
}
