/** Where the reward failed: the line and the first attempt are a press away, the stack is there to be read. */
import * as l10n from '@vscode/l10n';
import type { RescoreResult } from '../../src/features/rescore/contract/page.ts';
import { count, plural } from '../../src/shared/text/figures/numbers.ts';
import { element } from '../lib/element.ts';

export class FaultList {
  readonly node = element('section', { class: 'faults', hidden: '', 'aria-labelledby': 'faults-title' });
  readonly #open: (fault: number, what: 'line' | 'trace') => void;

  constructor(open: (fault: number, what: 'line' | 'trace') => void) {
    this.#open = open;
  }

  show({ faults, otherFaults }: RescoreResult): void {
    this.node.hidden = faults.length === 0;
    const attempts = faults.reduce((sum, fault) => sum + fault.attempts, otherFaults);
    this.node.replaceChildren(
      element(
        'h2',
        { id: 'faults-title' },
        l10n.t('Where the reward failed, at {0}', plural(attempts, l10n.t('attempt'), l10n.t('attempts'))),
      ),
      element('ul', {}, ...faults.map((fault, index) => this.#fault(fault, index))),
      ...(otherFaults === 0
        ? []
        : [element('p', { class: 'quiet' }, l10n.t('And at {0} attempts elsewhere.', count(otherFaults)))]),
    );
  }

  #fault({ message, place, stack, trace, attempts }: RescoreResult['faults'][number], index: number): HTMLElement {
    const link = (text: string, what: 'line' | 'trace'): HTMLElement => {
      const node = element('button', { type: 'button', class: 'link' }, text);
      node.addEventListener('click', () => this.#open(index, what));
      return node;
    };
    return element(
      'li',
      {},
      element('span', { class: 'codicon codicon-error', 'aria-hidden': 'true' }),
      ' ',
      element('span', { class: 'fault-message' }, message),
      element(
        'p',
        { class: 'fault-facts' },
        link(place ?? l10n.t('the reward file'), 'line'),
        ' · ',
        plural(attempts, l10n.t('attempt'), l10n.t('attempts')),
        ', ',
        l10n.t('first at'),
        ' ',
        link(trace, 'trace'),
      ),
      ...(stack === null
        ? []
        : [element('details', {}, element('summary', {}, l10n.t('Stack')), element('pre', {}, stack))]),
    );
  }
}
