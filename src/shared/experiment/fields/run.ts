import type { FieldsOf } from '../field.ts';

/** A run's name, its start and its length. */
export const runFields: FieldsOf<''> = {
  version: { label: 'Format', meaning: 'The format of experiment files; there is one so far.', paper: null },
  name: { label: 'Name', meaning: 'What the run is called in lists, charts and reports.', paper: null },
  preset: {
    label: 'Preset',
    meaning: 'Where every value comes from that this file leaves out.',
    paper: null,
    choices: {
      default: 'The method with settings under which the curriculum has something to rank.',
      paper: 'Every value that the paper gives; its gaps take the release’s values or ours.',
      embedded: 'Sized for the two small models that run on any machine.',
    },
  },
  method: {
    label: 'Method',
    meaning: 'Published method whose settings fill the fields that this file leaves out.',
    paper: 'genenv',
    choices: {
      genenv: 'GenEnv: changes nothing of the preset.',
      'r-zero': 'R-Zero: reward “uncertainty” with its repetition penalty, GRPO over texts, no filter.',
      'absolute-zero': 'Absolute Zero: reward “proposer”, GRPO over texts, −1 for what is no task, no filter.',
      'proposer-solver':
        'prime-rl’s proposer and solver: reward “variance”, GRPO without deviation on both sides, no filter.',
      sfl: 'SFL: the environment is not trained; half of a batch are the pool’s most learnable tasks.',
      vcrl: 'VCRL: the environment is not trained; half of a batch are pool tasks of high variance, 3 to 5 of 8.',
      plr: 'Prioritised level replay: the environment is not trained; half of a batch are pool tasks by rank and age.',
      accel:
        'ACCEL: the environment is not trained; it edits pool tasks of high regret, and half of a batch are such tasks.',
      random: 'GenEnv-Random: mode “random”.',
      static: 'GenEnv-Static: mode “static”.',
      offline: 'Mode “offline”; name its file in generation.offlineFile.',
    },
  },
  mode: {
    label: 'Mode',
    meaning: 'Where the tasks come from and which of the two policies is trained.',
    paper: 'coevolve',
    choices: {
      coevolve: 'Both policies are trained: the environment is rewarded for tasks at the target success rate.',
      random: 'The environment writes tasks but is never trained (GenEnv-Random).',
      static: 'The environment writes its tasks once, before the first epoch (GenEnv-Static).',
      offline: 'The tasks come from a file that was made elsewhere.',
      release: 'What the public release does: seeds ranked by mean score, both ends cut, the environment frozen.',
    },
  },
  seed: {
    label: 'Random seed',
    meaning: 'The same seed and the same answers of the endpoints give the same run, byte for byte.',
    paper: null,
    step: 1,
  },
  epochs: {
    label: 'Epochs',
    meaning: 'How often the loop generates, attempts, scores and updates before the run ends.',
    unit: 'epochs',
    paper: '10',
    step: 1,
  },
  domains: {
    label: 'Several domains',
    meaning: 'Domains that one run trains on together, each with its share of every epoch (docs/domains.md).',
    paper: 'five benchmarks',
    none: 'one domain',
  },
  earlyStop: {
    label: 'Stop early',
    meaning: 'Ends the run when validation has stopped improving.',
    paper: null,
    none: 'never',
  },
};

/** When a run ends before its last epoch. */
export const endFields: FieldsOf<'earlyStop' | 'budget'> = {
  'earlyStop.patience': {
    label: 'Patience',
    meaning: 'Validations without improvement after which the run ends.',
    unit: 'validations',
    paper: null,
    step: 1,
  },
  'earlyStop.minImprovement': {
    label: 'Smallest improvement',
    meaning: 'The least gain in validation success that counts as improvement.',
    paper: null,
    step: 0.005,
  },
  'budget.tokens': {
    label: 'Token budget',
    meaning: 'The run ends after the epoch in which both policies together have read and written this many tokens.',
    unit: 'tokens',
    paper: null,
    step: 'ratio',
    none: 'no limit',
  },
  'budget.rollouts': {
    label: 'Rollout budget',
    meaning: 'The run ends after the epoch in which it has made this many attempts.',
    unit: 'rollouts',
    paper: null,
    step: 'ratio',
    none: 'no limit',
  },
  'budget.seconds': {
    label: 'Time budget',
    meaning: 'The run ends after the epoch in which it has gone on for this long by the clock, pauses not counted.',
    unit: 's',
    paper: null,
    step: 'ratio',
    none: 'no limit',
  },
  'budget.hours': {
    label: 'Hours',
    meaning:
      'Once this long is used up, pauses not counted, no further attempt begins; those under way are learned from, and the run ends with their epoch.',
    unit: 'h',
    paper: null,
    step: 'ratio',
    none: 'no limit',
  },
  'budget.cost': {
    label: 'Money',
    meaning:
      'Once the endpoints’ prices come to this much, no further attempt begins; those under way are learned from, and the run ends with their epoch.',
    paper: null,
    step: 'ratio',
    none: 'no limit',
  },
};
