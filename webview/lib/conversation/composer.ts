/** A text that is being written, with a button that sends it. Ctrl+Enter sends too. */
import * as l10n from '@vscode/l10n';
import { element } from '../element.ts';

export interface ComposerActions {
  send: (text: string) => void;
  /** Typing rests, or the page is left. */
  draft: (text: string) => void;
}

/** Typing rests for so many milliseconds. */
const rest = 400;

export class Composer {
  readonly node: HTMLElement;
  readonly #text: HTMLTextAreaElement;
  readonly #send: HTMLButtonElement;
  readonly #actions: ComposerActions;
  #told = '';
  #resting: ReturnType<typeof setTimeout> | undefined;

  constructor(label: string, sendLabel: string, actions: ComposerActions, ...more: readonly HTMLElement[]) {
    this.#actions = actions;
    this.#text = element('textarea', { id: 'turn-text', rows: '5', spellcheck: 'false' });
    this.#send = element('button', { type: 'button', class: 'button button-primary' }, sendLabel);
    this.node = element(
      'div',
      { class: 'composer' },
      element('label', { for: 'turn-text' }, label),
      this.#text,
      element(
        'div',
        { class: 'actions' },
        this.#send,
        ...more,
        element('span', { class: 'quiet' }, l10n.t('Ctrl+Enter sends.')),
      ),
    );
    this.#send.addEventListener('click', () => this.#go());
    this.#text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#go();
    });
    this.#text.addEventListener('input', () => {
      clearTimeout(this.#resting);
      this.#resting = setTimeout(() => this.#tell(), rest);
    });
    window.addEventListener('blur', () => this.#tell());
    document.addEventListener('visibilitychange', () => this.#tell());
  }

  get text(): string {
    return this.#text.value;
  }

  /** @param enabled whether a turn is asked for; the text is taken where the page does not know it yet */
  show(text: string | null, enabled: boolean): void {
    if (text !== null && text !== this.#text.value) this.#put(text);
    const wasOff = this.#text.disabled;
    this.#text.disabled = !enabled;
    this.#send.disabled = !enabled;
    if (enabled && wasOff) this.#text.focus();
  }

  /** Replaces the text, and tells it. */
  write(text: string): void {
    clearTimeout(this.#resting);
    this.#text.value = text;
    this.#tell();
    this.#text.focus();
  }

  #put(text: string): void {
    clearTimeout(this.#resting);
    this.#text.value = text;
    this.#told = text;
  }

  #tell(): void {
    clearTimeout(this.#resting);
    if (this.#text.disabled || this.#text.value === this.#told) return;
    this.#told = this.#text.value;
    this.#actions.draft(this.#told);
  }

  #go(): void {
    if (this.#text.disabled || this.#text.value.trim() === '') return;
    clearTimeout(this.#resting);
    this.#actions.send(this.#text.value);
  }
}
