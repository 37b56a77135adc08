/** Over how many points the lines of a page are smoothed. */
import * as l10n from '@vscode/l10n';
import { smoothings, type Smoothing } from './means.ts';
import { element } from '../../lib/element.ts';

export class SmoothingChoice {
  readonly node: HTMLElement;
  readonly #select = element('select', { class: 'field' });

  constructor(onChoose: (smoothing: Smoothing) => void) {
    const names: Record<Smoothing, string> = {
      1: l10n.t('none'),
      5: l10n.t('mean of {0} points', 5),
      15: l10n.t('mean of {0} points', 15),
    };
    for (const one of smoothings) this.#select.append(element('option', { value: String(one) }, names[one]));
    this.#select.addEventListener('change', () => {
      const chosen = smoothings.find((one) => String(one) === this.#select.value);
      if (chosen !== undefined) onChoose(chosen);
    });
    this.node = element(
      'div',
      { class: 'smoothing-choice' },
      element('label', {}, l10n.t('Smoothing'), ' ', this.#select),
    );
  }

  update(smoothing: Smoothing): void {
    this.#select.value = String(smoothing);
  }
}
