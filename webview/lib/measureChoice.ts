/** Which of a domain's several measures of difficulty a chart shows. */
import * as l10n from '@vscode/l10n';
import { element } from './element.ts';

export class MeasureChoice {
  readonly node: HTMLElement;
  readonly #select = element('select', { class: 'field', 'aria-label': l10n.t('Difficulty') });
  #names = '';

  constructor(onChoose: (name: string) => void) {
    this.#select.addEventListener('change', () => onChoose(this.#select.value));
    this.node = element('label', { class: 'measure-choice' }, l10n.t('Difficulty'), ' ', this.#select);
    this.node.hidden = true;
  }

  /** @param names with one there is nothing to choose */
  update(names: readonly string[], chosen: string): void {
    this.node.hidden = names.length < 2;
    const text = JSON.stringify(names);
    if (text !== this.#names) {
      this.#names = text;
      this.#select.replaceChildren(...names.map((name) => element('option', { value: name }, name)));
    }
    this.#select.value = chosen;
  }
}
