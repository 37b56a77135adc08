/** The notes of the selected runs, and their actions. */
import * as l10n from '@vscode/l10n';
import type { LabelAsk, RunRow } from '../../src/features/runTable/contract.ts';
import { element } from '../lib/element.ts';
import { withMarksShown } from '../../src/shared/text/hiddenMarks.ts';
import { columns } from './arrange.ts';
import { spoken } from './cells.ts';
import { count } from '../../src/shared/text/figures/numbers.ts';

export interface DetailHost {
  label: (runs: readonly RunRow[], change: LabelAsk) => void;
  open: (run: RunRow) => void;
  rename: () => void;
  compare: (runs: readonly RunRow[]) => void;
  remove: (runs: readonly RunRow[]) => void;
  save: (runs: readonly RunRow[]) => void;
  /** The keyboard goes back to the table. */
  left: () => void;
}

/** More are indistinguishable in one comparison. */
const mostCompared = 8;

export class DetailBar {
  readonly node = element('section', { class: 'detail-bar', 'aria-label': l10n.t('Selected runs'), hidden: '' });
  readonly #host: DetailHost;
  readonly #title = element('strong', { class: 'detail-title', role: 'status' });
  readonly #facts = element('p', { class: 'quiet detail-facts' });
  readonly #tags = element('input', { type: 'text', class: 'input', id: 'tags', spellcheck: 'false' });
  readonly #note = element('textarea', { class: 'input note', id: 'note', rows: '2' });
  readonly #noteField: HTMLElement;
  readonly #buttons: Record<'open' | 'rename' | 'compare' | 'pin' | 'archive' | 'save' | 'remove', HTMLButtonElement>;
  #runs: readonly RunRow[] = [];

  constructor(host: DetailHost) {
    this.#host = host;
    const press = (text: string, act: () => void): HTMLButtonElement => {
      const button = element('button', { type: 'button', class: 'button' }, text);
      button.addEventListener('click', act);
      return button;
    };
    this.#buttons = {
      open: press(l10n.t('Open'), () => this.#first((run) => host.open(run))),
      rename: press(l10n.t('Rename (F2)'), () => host.rename()),
      compare: press(l10n.t('Compare'), () => host.compare(this.#runs)),
      pin: press(l10n.t('Pin'), () => host.label(this.#runs, { pinned: !this.#all(({ pinned }) => pinned) })),
      archive: press(l10n.t('Archive'), () =>
        host.label(this.#runs, { archived: !this.#all(({ archived }) => archived) }),
      ),
      save: press(l10n.t('Export as CSV…'), () => host.save(this.#runs)),
      remove: press(l10n.t('Delete…'), () => host.remove(this.#runs)),
    };
    this.#tags.placeholder = l10n.t('good, for the paper');
    this.#tags.addEventListener('change', () => this.#takeTags());
    this.#note.addEventListener('change', () => this.#takeNote());
    this.#noteField = element('div', { class: 'field' }, element('label', { for: 'note' }, l10n.t('Note')), this.#note);
    this.node.append(
      element('div', { class: 'detail-line' }, this.#title, ...Object.values(this.#buttons)),
      this.#facts,
      element(
        'div',
        { class: 'detail-fields' },
        element('div', { class: 'field' }, element('label', { for: 'tags' }, l10n.t('Tags, with commas')), this.#tags),
        this.#noteField,
      ),
    );
    this.node.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        if (event.target === this.#tags) this.#tags.value = this.#common().join(', ');
        if (event.target === this.#note) this.#note.value = this.#runs[0]?.note ?? '';
        host.left();
      } else if (event.key === 'Enter' && event.target === this.#tags) host.left();
      else return;
      event.preventDefault();
    });
  }

  /** Leaving the page commits typed text. */
  commit(): void {
    if (document.activeElement === this.#tags) this.#takeTags();
    if (document.activeElement === this.#note) this.#takeNote();
  }

  show(runs: readonly RunRow[]): void {
    const same = runs.length === this.#runs.length && runs.every(({ dir }, i) => dir === this.#runs[i]?.dir);
    if (!same) this.commit();
    this.#runs = runs;
    const [first] = runs;
    this.node.hidden = first === undefined;
    if (first === undefined) return;
    const one = runs.length === 1;
    this.#title.textContent = one ? withMarksShown(first.name) : l10n.t('{0} runs selected', count(runs.length));
    this.#facts.textContent = one ? spoken(first, columns).slice(first.name.length + 2) : '';
    const { open, rename, compare, pin, archive, remove } = this.#buttons;
    open.hidden = rename.hidden = this.#noteField.hidden = !one;
    compare.disabled = runs.length < 2 || runs.length > mostCompared;
    compare.title = compare.disabled ? l10n.t('Select 2 to {0} runs (Space or Ctrl+click).', mostCompared) : '';
    pin.textContent = this.#all(({ pinned }) => pinned) ? l10n.t('Unpin') : l10n.t('Pin');
    archive.textContent = this.#all(({ archived }) => archived) ? l10n.t('Restore') : l10n.t('Archive');
    const busy = runs.some(({ written }) => written);
    remove.disabled = busy;
    remove.title = busy ? l10n.t('A run that is running has to be paused or stopped first.') : '';
    if (!same || document.activeElement !== this.#tags) this.#tags.value = this.#common().join(', ');
    if (!same || document.activeElement !== this.#note) this.#note.value = one ? first.note : '';
  }

  editTags(): void {
    this.#tags.focus();
    this.#tags.select();
  }

  editNote(): void {
    if (!this.#noteField.hidden) this.#note.focus();
  }

  #all(has: (run: RunRow) => boolean): boolean {
    return this.#runs.every(has);
  }

  #first(act: (run: RunRow) => void): void {
    const [first] = this.#runs;
    if (first !== undefined) act(first);
  }

  /** Tags that all of them have. */
  #common(): string[] {
    const [first, ...others] = this.#runs;
    return (first?.tags ?? []).filter((tag) => others.every(({ tags }) => tags.includes(tag)));
  }

  #takeTags(): void {
    const before = this.#common();
    const typed = this.#tags.value.split(',').map((tag) => tag.trim().replace(/^#/, ''));
    const wanted = [...new Set(typed.filter((tag) => tag !== ''))];
    const addTags = wanted.filter((tag) => !before.includes(tag));
    const removeTags = before.filter((tag) => !wanted.includes(tag));
    if (addTags.length + removeTags.length > 0) this.#host.label(this.#runs, { addTags, removeTags });
  }

  #takeNote(): void {
    const [first] = this.#runs;
    if (first === undefined || this.#runs.length > 1 || this.#note.value === first.note) return;
    this.#host.label([first], { note: this.#note.value });
  }
}
