/** Settings that differ, each with a link to its field. */
import type { FieldPath } from '../../src/shared/experiment/field.ts';
import { fieldAt, fields } from '../../src/shared/experiment/fields.ts';
import { element } from '../lib/element.ts';
import * as l10n from '@vscode/l10n';
import { prose } from '../lib/symbols.ts';
import type { Difference } from './differences.ts';
import { presetWords } from './fieldRow.ts';

/** @param note beside a difference; '' for none */
export function differenceList(
  differences: readonly Difference[],
  goTo: (field: FieldPath) => void,
  note: (difference: Difference) => string = () => '',
): HTMLElement {
  return element(
    'ul',
    { class: 'changes-list' },
    ...differences.map((difference) => {
      const { path, from, to } = difference;
      const link = element(
        'button',
        { class: 'place', type: 'button' },
        ...prose(fieldAt(path)?.symbol ?? labelOf(path)),
      );
      link.addEventListener('click', () => goTo(path));
      const values = ` ${presetWords(path, from)} → ${presetWords(path, to)}`;
      const said = note(difference);
      return element('li', {}, link, values, ' ', ...(said === '' ? [] : [element('span', { class: 'hold' }, said)]));
    }),
  );
}

/** Both policies have fields of one label. */
function labelOf(path: FieldPath): string {
  const label = l10n.t(fields[path].label);
  const [, role] = /^(?:endpoints\.)?(agent|environment)\./.exec(path) ?? [];
  if (role === undefined) return label;
  return role === 'agent' ? l10n.t('Agent: {0}', label) : l10n.t('Environment: {0}', label);
}
