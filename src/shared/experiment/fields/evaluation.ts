import type { FieldsOf } from '../field.ts';

/** How the agent is measured while the run goes: on a benchmark, and against its older versions. */
export const evaluationFields: FieldsOf<'evaluation' | 'crossPlay'> = {
  'evaluation.every': {
    label: 'Evaluate every',
    meaning: 'Epochs between evaluations on the benchmark; 0 is never, else epoch 0 and the last are evaluated too.',
    unit: 'epochs',
    paper: null,
    step: 1,
  },
  'evaluation.adapter': {
    label: 'Benchmark',
    meaning: 'The adapter of the benchmark: a file of your own, or the name of one that is shipped.',
    paper: null,
    none: 'none',
    file: { kind: 'Benchmark Adapters', endings: ['adapter.json'] },
  },
  'evaluation.data': {
    label: 'Data folder',
    meaning: 'Where the benchmark’s data lies, relative to the experiment.',
    paper: null,
    none: 'as the adapter says',
    folder: true,
  },
  'evaluation.split': {
    label: 'Split',
    meaning: 'The part of the benchmark that is attempted: the one that its authors keep for validation.',
    paper: null,
    none: 'all of them',
  },
  'evaluation.sample': {
    label: 'Sample',
    meaning: 'How many tasks of the split are drawn, the same ones at each evaluation.',
    unit: 'tasks',
    paper: null,
    step: 10,
    none: 'all of them',
  },
  'evaluation.attempts': {
    label: 'Attempts',
    meaning: 'How often each task is attempted: n, of which pass@1 and pass@n are estimated.',
    unit: 'per task',
    paper: null,
    step: 1,
  },
  'evaluation.temperature': {
    label: 'Temperature',
    meaning: 'Sampling temperature in the evaluation; 0 is greedy decoding.',
    paper: null,
    step: 0.05,
  },
  'evaluation.seed': {
    label: 'Seed',
    meaning: 'What the sample is drawn by.',
    paper: null,
    step: 1,
  },
  'crossPlay.every': {
    label: 'Compare versions every',
    meaning:
      'Epochs between checks of versions against each other (today’s agent on earlier tasks, earlier agents on today’s); 0 is never, else the last epoch is checked too.',
    unit: 'epochs',
    paper: null,
    step: 1,
  },
  'crossPlay.rollouts': {
    label: 'Attempts of a check',
    meaning:
      'At most so many attempts a check, over all pairs of versions. Nothing is trained on them, and no budget counts them.',
    unit: 'attempts',
    paper: null,
    step: 32,
  },
};
