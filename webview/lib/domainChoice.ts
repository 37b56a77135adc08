/** Which of a run's several domains a page looks at: one, or all together. */
import * as l10n from '@vscode/l10n';
import { element } from './element.ts';

export class DomainChoice {
  readonly node: HTMLElement;
  readonly #select = element('select', { class: 'field', 'aria-label': l10n.t('Domain') });
  #domains = '';

  /** @param onChoose null is all together */
  constructor(onChoose: (domain: string | null) => void) {
    this.#select.addEventListener('change', () => onChoose(this.#select.value === '' ? null : this.#select.value));
    this.node = element('div', { class: 'domain-choice' }, element('label', {}, l10n.t('Domain'), ' ', this.#select));
    this.node.hidden = true;
  }

  /** @param domains none where the run has one: then there is nothing to choose */
  update(domains: readonly string[], chosen: string | null): void {
    this.node.hidden = domains.length === 0;
    const text = JSON.stringify(domains);
    if (text !== this.#domains) {
      this.#domains = text;
      const all = element('option', { value: '' }, l10n.t('all together'));
      this.#select.replaceChildren(all, ...domains.map((name) => element('option', { value: name }, name)));
    }
    this.#select.value = chosen ?? '';
  }
}
