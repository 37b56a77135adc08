/** The content of a page until the host's first message. */
import * as l10n from '@vscode/l10n';
import { element } from './element.ts';

export const loadingText = (): HTMLElement => element('p', { class: 'loading', role: 'status' }, l10n.t('Loading…'));

export class Loading {
  readonly #nodes: readonly HTMLElement[];
  readonly #root = document.getElementById('root');
  #isDone = false;

  /** @param nodes the page, which replaces it once its content is known */
  constructor(...nodes: readonly HTMLElement[]) {
    this.#nodes = nodes;
    this.#root?.replaceChildren(loadingText());
  }

  done(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#root?.replaceChildren(...this.#nodes);
  }
}
