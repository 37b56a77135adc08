/** The faults of a field, with remedies. */
import * as l10n from '@vscode/l10n';
import type { TaskRemark } from '../../../src/features/tasks/contract.ts';
import { element } from '../../lib/element.ts';

let made = 0;

export function remarksList(): { node: HTMLElement; show: (remarks: readonly TaskRemark[]) => void } {
  made += 1;
  // Announced once it is filled: the user hears faults while typing.
  const node = element('ul', { class: 'remarks', id: `remarks-${made}`, 'aria-live': 'polite' });
  let drawn = '';
  return {
    node,
    show(remarks) {
      const text = JSON.stringify(remarks);
      if (text === drawn) return;
      drawn = text;
      node.replaceChildren(...remarks.map(remarkItem));
    },
  };
}

function remarkItem({ severity, message, remedy }: TaskRemark): HTMLElement {
  const word = severity === 'error' ? l10n.t('Error') : l10n.t('Warning');
  return element(
    'li',
    { class: severity },
    element('span', { class: `codicon codicon-${severity}`, role: 'img', 'aria-label': word }),
    element('span', {}, message, ...(remedy === '' ? [] : [' ', element('span', { class: 'quiet' }, remedy)])),
  );
}
