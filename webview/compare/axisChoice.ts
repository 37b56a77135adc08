/** The horizontal axis of the charts: one of several, chosen with the arrow keys or a click. */
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { axes, type Axis } from './navigation.ts';

export class AxisChoice {
  readonly node: HTMLElement;
  readonly #inputs: Record<Axis, HTMLInputElement>;

  constructor(onChoose: (axis: Axis) => void) {
    const input = (axis: Axis): HTMLInputElement => {
      const node = element('input', { type: 'radio', name: 'axis', value: axis });
      node.addEventListener('change', () => onChoose(axis));
      return node;
    };
    this.#inputs = {
      epoch: input('epoch'),
      rollouts: input('rollouts'),
      tokens: input('tokens'),
      seconds: input('seconds'),
    };
    const words: Record<Axis, string> = {
      epoch: l10n.t('Epochs'),
      rollouts: l10n.t('Rollouts'),
      tokens: l10n.t('Tokens'),
      seconds: l10n.t('Time'),
    };
    this.node = element(
      'div',
      { class: 'axis-choice', role: 'radiogroup', 'aria-label': l10n.t('Compare over') },
      element('span', { class: 'quiet', 'aria-hidden': 'true' }, l10n.t('Over')),
      ...axes.map((axis) => element('label', { class: 'axis-option' }, this.#inputs[axis], words[axis])),
    );
  }

  update(axis: Axis): void {
    this.#inputs[axis].checked = true;
  }
}
