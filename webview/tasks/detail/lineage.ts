/** Where a task comes from and where it went, oldest first. */
import * as l10n from '@vscode/l10n';
import { withMarksShown } from '../../../src/shared/text/hiddenMarks.ts';
import type { TaskDetail } from '../../../src/features/tasks/contract.ts';
import { element } from '../../lib/element.ts';

type Station = TaskDetail['lineage'][number];
export type Opened = NonNullable<Station['opens']>;

const icons: Record<Station['kind'], string> = {
  seed: 'symbol-field',
  asked: 'comment',
  written: 'sparkle',
  edited: 'edit',
  attempted: 'beaker',
  weighted: 'graph',
  excluded: 'circle-slash',
};

const kindWord = (kind: Station['kind']): string =>
  ({
    seed: l10n.t('Seed task'),
    asked: l10n.t('Asked'),
    written: l10n.t('Written'),
    edited: l10n.t('Edited'),
    attempted: l10n.t('Attempted'),
    weighted: l10n.t('Weighted'),
    excluded: l10n.t('Excluded'),
  })[kind];

export function lineageList(lineage: readonly Station[], open: (what: Opened) => void): HTMLElement {
  const item = ({ kind, title, text, opens }: Station): HTMLElement => {
    const name = element('span', { class: 'station-title' });
    if (opens === null) name.append(title);
    else {
      const link = element('button', { type: 'button', class: 'link' }, title);
      link.addEventListener('click', () => open(opens));
      name.append(link);
    }
    return element(
      'li',
      { class: 'station' },
      element('span', { class: `codicon codicon-${icons[kind]}`, role: 'img', 'aria-label': kindWord(kind) }),
      element('div', {}, name, ...(text === '' ? [] : [element('p', { class: 'quiet' }, withMarksShown(text))])),
    );
  };
  return element('ol', { class: 'lineage' }, ...lineage.map(item));
}
