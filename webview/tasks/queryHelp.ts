/** The fields of the query language: one line each, with an example to insert. */
import * as l10n from '@vscode/l10n';
import { flagNames } from '../../src/features/tasks/contract.ts';
import { element } from '../lib/element.ts';
import { flagMeaning } from './words.ts';

interface Line {
  example: string;
  meaning: string;
}

const lines = (): Line[] => [
  { example: 'p<0.2', meaning: l10n.t('Success rate p̂; also 20%, p:0.3..0.7') },
  { example: 'epoch:3', meaning: l10n.t('Epoch; also epoch>=3, epoch:2..5') },
  { example: 'reward>0.5', meaning: l10n.t('Environment reward of the epoch it was scored in last') },
  { example: 'weight>0.01', meaning: l10n.t('Weight, in a pool') },
  { example: 'len>400', meaning: l10n.t('Characters of the prompt') },
  { example: 'status:excluded', meaning: l10n.t('accepted, rejected, excluded, damaged') },
  { example: 'origin:generated', meaning: l10n.t('base, generated, offline, validation') },
  {
    example: 'verdict:failed',
    meaning: l10n.t('An attempt at it failed, or solved it (verdict:solved), or none was made (verdict:none)'),
  },
  { example: 'id:e3.f2.*', meaning: l10n.t('Id, with * for anything; so do family: and seed:') },
  { example: 'tag:odd', meaning: l10n.t('A tag') },
  { example: 'edited:yes', meaning: l10n.t('Edited by hand, or not') },
  { example: 'plan:steps', meaning: l10n.t('A word of the plan it was written from') },
  { example: '"refund order"', meaning: l10n.t('Words of the task') },
  { example: '-tag:odd', meaning: l10n.t('What does not fit') },
  { example: 'flag:any', meaning: l10n.t('Any health flag, or flag:none') },
  ...flagNames.map((flag): Line => ({ example: `flag:${flag}`, meaning: flagMeaning(flag) })),
];

/** @param take puts an example into the field */
export function queryHelp(take: (example: string) => void): HTMLElement {
  const rows = lines().map(({ example, meaning }) => {
    const link = element('button', { type: 'button', class: 'link' }, element('code', {}, example));
    link.addEventListener('click', () => take(example));
    return element('tr', {}, element('td', {}, link), element('td', {}, meaning));
  });
  return element(
    'div',
    {
      class: 'query-help',
      id: 'query-help',
      role: 'region',
      'aria-label': l10n.t('Filter terms'),
      hidden: '',
    },
    element('p', {}, l10n.t('Separate terms by spaces; a task must match them all.')),
    element('table', {}, element('tbody', {}, ...rows)),
  );
}
