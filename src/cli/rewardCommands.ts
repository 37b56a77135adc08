/** The commands about reward functions, as data. */
import { json, root, run, type CommandSpec } from './commandParts.ts';

export const rewardCommands = {
  'test-reward': {
    summary: 'Test reward functions on their worked cases',
    argument: { name: 'FILE', help: 'Reward file (*.reward.ts, .js or .py), with NAME.reward.cases.jsonl beside it.' },
    rest: { name: 'FILE…', help: 'More of them.' },
    options: { json },
    examples: ['genenv test-reward mine.reward.ts', 'genenv test-reward rewards/*.reward.py --json'],
    notes: ['Leaves with 1 where a case is judged wrong. Python is $GENENV_PYTHON, or python3. See docs/rewards.md.'],
  },
  'check-curriculum': {
    summary: 'Try a curriculum file: its rewards by successes, and its worked cases',
    argument: { name: 'FILE', help: 'Curriculum file (*.curriculum.ts, .js or .py).' },
    options: { json },
    examples: ['genenv check-curriculum mine.curriculum.ts', 'genenv check-curriculum mine.curriculum.py --json'],
    notes: [
      'Asks it twice about families of 0 to 8 successes of 8, and one whose attempts were not judged.',
      'Runs NAME.curriculum.cases.jsonl beside it, too. Leaves with 1 where anything is wrong. See docs/curricula.md.',
    ],
  },
  'suggest-cases': {
    summary: 'Find attempts of a run that a reward should be held to',
    argument: { name: 'REWARD', help: 'Reward file (*.reward.ts, .js or .py) that gets the cases.' },
    options: {
      run: { value: 'RUN', help: 'Id of the run, or the beginning of one.' },
      against: {
        value: 'FILE',
        help: 'Another reward file to compare it with (default: people’s verdicts, else the recorded ones).',
      },
      most: { value: 'N', help: 'How many to suggest (default: 10).' },
      root,
      json,
    },
    examples: [
      'genenv suggest-cases mine.reward.ts --run 20261121',
      'genenv suggest-cases mine.reward.ts --run 20261121 --against old.reward.ts --most 20',
    ],
    notes: [
      'Where the two disagree, widest first, and where the reward lies within 0.1 of the threshold of success.',
      'Two of one task at most; what is a case already is left out. Nothing is written. See docs/rewards.md.',
    ],
  },
  rescore: {
    summary: 'See what another reward says of a run’s attempts, before it touches training',
    argument: run,
    options: {
      reward: { value: 'FILE', help: 'Reward file (*.reward.ts, .js or .py).' },
      epochs: { value: 'A-B', help: 'Only attempts of these epochs (default: all).' },
      apply: { help: 'Lay the new verdicts over the recorded ones, which stay; journaled.' },
      'take-back': { help: 'Take the verdicts that were applied last away again; journaled.' },
      root,
      json: { help: 'Print one JSON object a line: each flip, then the summary; errors as JSON on stderr.' },
    },
    examples: [
      'genenv rescore 20261121 --reward mine.reward.ts',
      'genenv rescore 20261121 --reward mine.reward.py --epochs 3-7 --json',
      'genenv rescore 20261121 --reward mine.reward.ts --apply',
    ],
    notes: [
      'Changes nothing without --apply. Shows what flips; p̂, R_env, band, advantages and weights as they would be.',
      'Leaves with 1 where the reward itself fails on an attempt. See docs/rewards.md.',
    ],
  },
} as const satisfies Record<string, CommandSpec>;
