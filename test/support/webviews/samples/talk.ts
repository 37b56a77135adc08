/** A conversation as the page shows it. */
import type { TalkView } from '../../../../src/features/talk/contract.ts';

export const talking: TalkView = {
  settings: { policies: ['agent@12', 'agent@0'], temperature: 1, maxTokens: 96, seed: 0 },
  ...{ runName: 'embedded demo', task: 'e3.f2.v1', versions: ['agent@12', 'agent@0', 'environment@12'] },
  prompt: [
    { speaker: 'system', text: '<agent>', own: false },
    { speaker: 'user', text: 'MENU get f2 increase f1 REQ first count beans second add milk 3 CALL', own: false },
  ],
  exchanges: [
    {
      you: null,
      answers: [
        {
          by: 'agent@12',
          turns: [
            { speaker: 'agent@12', text: 'first get f2 beans', own: false },
            { speaker: 'tool f2', text: 'left 9', own: false },
          ],
          notes: [],
          verdict: null,
        },
        {
          by: 'agent@0',
          turns: [{ speaker: 'agent@0', text: 'first increase f1 beans 9', own: false }],
          notes: [],
          verdict: null,
        },
      ],
    },
    {
      you: { speaker: 'You', text: 'second add milk 3 CALL', own: true },
      answers: [
        {
          by: 'agent@12',
          turns: [{ speaker: 'agent@12', text: 'second increase f1 milk 3', own: false }],
          notes: [],
          verdict: { word: 'unsolved', reward: 0.5, note: '1 of 2 calls as in the gold', parts: [['calls', 0.5]] },
        },
        { by: 'agent@0', turns: [], notes: ['The answer was cut off.'], verdict: null },
      ],
    },
  ],
  ...{ state: 'ready', trouble: '' },
};
