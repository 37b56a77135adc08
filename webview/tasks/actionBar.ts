/** The actions on the selected tasks, and the few words that some of them need. */
import * as l10n from '@vscode/l10n';
import { lineMark, type TasksBulk, type TasksMatching } from '../../src/features/tasks/contract.ts';
import { iconButton } from '../lib/chartFrame.ts';
import { element } from '../lib/element.ts';
import { tasksText } from './words.ts';

/** The tasks of an action. */
export interface Target {
  ids: string[] | TasksMatching;
  size: number;
}

export interface ActionHost {
  bulk: (target: Target, what: TasksBulk) => void;
  copy: (target: Target, as: 'json' | 'markdown') => void;
  clear: () => void;
  /** The bar is gone: the keyboard focus returns. */
  left: () => void;
}

type Form = 'exclude' | 'tag';

export class ActionBar {
  readonly node = element('section', { class: 'action-bar', 'aria-label': l10n.t('Selected tasks'), hidden: '' });
  readonly #host: ActionHost;
  readonly #count = element('strong', { role: 'status' });
  readonly #buttons: HTMLElement;
  readonly #form = element('form', { class: 'action-form', hidden: '' });
  #selected: Target = { ids: [], size: 0 };
  #why: string | null = null;

  constructor(host: ActionHost) {
    this.#host = host;
    const press = (text: string, act: (target: Target) => void): HTMLButtonElement => {
      const made = element('button', { type: 'button', class: 'button' }, text);
      made.addEventListener('click', () => act(this.#selected));
      return made;
    };
    const change = (text: string, what: TasksBulk): HTMLButtonElement =>
      press(text, (target) => host.bulk(target, what));
    const changes = [
      press(l10n.t('Exclude…'), (target) => this.ask('exclude', target)),
      change(l10n.t('Restore'), { action: 'restore' }),
      press(l10n.t('Tag…'), (target) => this.ask('tag', target)),
      change(l10n.t('Duplicate as Variation'), { action: 'duplicate' }),
      change(l10n.t('Send to Seed Tasks'), { action: 'toSeeds' }),
    ];
    this.#buttons = element(
      'div',
      { class: 'action-buttons' },
      this.#count,
      ...changes,
      press(l10n.t('Copy as JSON'), (target) => host.copy(target, 'json')),
      press(l10n.t('Copy as Markdown'), (target) => host.copy(target, 'markdown')),
      iconButton('close', l10n.t('Clear the selection (Esc)'), () => host.clear()),
    );
    for (const one of changes) one.classList.add('changes');
    this.#form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      this.#close();
    });
    this.node.append(this.#buttons, this.#form);
  }

  /** Several selected tasks; fewer hide the bar. @param why nothing can be changed; null when it can */
  show(selected: Target, why: string | null): void {
    const before = this.#selected;
    this.#selected = selected;
    // Its words are of other tasks.
    if (!this.#form.hidden && !isSame(before, selected)) this.#close();
    this.#why = why;
    this.#count.textContent = l10n.t('{0} selected', tasksText(selected.size));
    for (const one of this.#buttons.querySelectorAll<HTMLButtonElement>('.changes')) {
      one.disabled = why !== null;
      one.title = why ?? '';
    }
    this.#draw();
  }

  /** Asks for a reason or for tags, then does it. */
  ask(form: Form, target: Target): void {
    if (this.#why !== null) return;
    const id = target.size === 1 && Array.isArray(target.ids) ? target.ids[0] : undefined;
    const named = id === undefined || id.startsWith(lineMark) ? tasksText(target.size) : id;
    const [fields, act] = form === 'exclude' ? this.#reason(target) : this.#tags(target);
    const text = form === 'exclude' ? l10n.t('Exclude {0}', named) : l10n.t('Tag {0}', named);
    const cancel = element('button', { type: 'button', class: 'button' }, l10n.t('Cancel'));
    cancel.addEventListener('click', () => this.#close());
    this.#form.onsubmit = (event) => {
      event.preventDefault();
      if (act()) this.#close();
    };
    this.#form.setAttribute('aria-label', text);
    this.#form.replaceChildren(
      ...fields,
      element('button', { type: 'submit', class: 'button button-primary' }, text),
      cancel,
    );
    this.#form.hidden = false;
    this.#draw();
    this.#form.querySelector('input')?.focus();
  }

  #reason(target: Target): [HTMLElement[], () => boolean] {
    const reason = input(l10n.t('Why it is excluded'));
    reason.required = true;
    const act = (): boolean => {
      this.#host.bulk(target, { action: 'exclude', reason: reason.value.trim() });
      return true;
    };
    return [[labelled(l10n.t('Reason'), reason)], act];
  }

  #tags(target: Target): [HTMLElement[], () => boolean] {
    const [add, remove] = [input(l10n.t('odd, to check')), input('')];
    const act = (): boolean => {
      const what: Extract<TasksBulk, { action: 'tag' }> = {
        action: 'tag',
        add: words(add.value),
        remove: words(remove.value),
      };
      if (what.add.length + what.remove.length === 0) return false;
      this.#host.bulk(target, what);
      return true;
    };
    return [[labelled(l10n.t('Add tags'), add), labelled(l10n.t('Remove tags'), remove)], act];
  }

  #close(): void {
    const wasHere = this.#form.contains(document.activeElement);
    this.#form.hidden = true;
    this.#form.replaceChildren();
    this.#draw();
    if (wasHere) this.#host.left();
  }

  #draw(): void {
    this.#buttons.hidden = this.#selected.size < 2 || !this.#form.hidden;
    this.node.hidden = this.#buttons.hidden && this.#form.hidden;
  }
}

const isSame = (a: Target, b: Target): boolean => JSON.stringify(a.ids) === JSON.stringify(b.ids);

const input = (placeholder: string): HTMLInputElement =>
  element('input', { type: 'text', class: 'input', placeholder });

const labelled = (text: string, field: HTMLElement): HTMLElement => element('label', {}, text, ' ', field);

/** Tags as they are typed: between commas or spaces, with or without #. */
const words = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((word) => word.replace(/^#/, ''))
    .filter((word) => word !== '');
