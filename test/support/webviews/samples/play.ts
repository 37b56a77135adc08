/** A person's attempt as the page shows it. */
import type { PlayView } from '../../../../src/features/play/contract.ts';

const choices = ['rice', 'beans', 'milk'];

export const asking: PlayView = {
  ...{ run: '/runs/a', runName: 'embedded demo', task: 'e3.f2.v1', play: 'mi3k2x0', state: 'asking' },
  said: [
    { speaker: 'system', text: '<agent>', own: false },
    { speaker: 'user', text: 'MENU get f2 increase f1 REQ first count beans second add 3 milk CALL', own: false },
    { speaker: 'anna', text: 'first get f2 beans', own: true },
    { speaker: 'tool f2', text: 'left 9', own: false },
    { speaker: 'user', text: 'CALL', own: false },
  ],
  tools: [
    {
      name: 'f2',
      description: 'get (count, check). Tells the stock of an item.',
      fields: [{ name: 'item', help: '', required: true, kind: 'choice', choices }],
    },
    {
      name: 'f1',
      description: 'increase (add, stock). Adds to the stock of an item.',
      fields: [
        { name: 'item', help: 'What to add to.', required: true, kind: 'choice', choices },
        { name: 'value', help: '', required: true, kind: 'number', choices: [] },
        { name: 'note', help: '', required: false, kind: 'text', choices: [] },
      ],
    },
  ],
  ...{ turn: 2, draft: '', verdict: null, note: null },
};

export const ended: PlayView = {
  ...asking,
  state: 'ended',
  said: [
    ...asking.said,
    { speaker: 'anna', text: 'second increase f1 milk 4', own: true },
    { speaker: 'tool f1', text: 'left 10', own: false },
  ],
  verdict: { word: 'unsolved', reward: 0.5, valid: true, gold: 'first get f2 beans second increase f1 milk 3' },
  note: 'call 2: expected 3, found 4',
};
