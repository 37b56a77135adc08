import type { FieldsOf } from '../field.ts';

/** The judge of attempts. */
export const rewardFields: FieldsOf<'reward'> = {
  'reward.file': {
    label: 'Reward from a file',
    meaning: 'A reward function of your own, in TypeScript, JavaScript or Python, which judges every attempt.',
    paper: null,
    none: 'the domain’s own scorer',
    file: { kind: 'Reward Functions', endings: ['reward.ts', 'reward.js', 'reward.py'] },
  },
  'reward.seconds': {
    label: 'Time of a call',
    meaning: 'How long the reward function may take for one attempt; after that the attempt is not judged.',
    unit: 's',
    paper: null,
    step: 1,
  },
  'reward.megabytes': {
    label: 'Memory',
    meaning: 'How much memory a process of the reward function may take beside what it starts with.',
    unit: 'MB',
    paper: null,
    step: 64,
  },
  'reward.network': {
    label: 'Network',
    meaning: 'Whether the reward function may use the network and start other programs.',
    paper: null,
  },
};
