/** What stands in a page until the host has told it something: a page that knows nothing claims nothing. */
import * as l10n from '@vscode/l10n';
import { element } from './element.ts';

export const loadingText = (): HTMLElement => element('p', { class: 'loading', role: 'status' }, l10n.t('Loading…'));

export class Loading {
  readonly #nodes: readonly HTMLElement[];
  readonly #root = document.getElementById('root');
  #isDone = false;

  /** @param nodes the page, which takes its place once it is known what to show */
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
