import type { FieldsOf } from '../field.ts';

/** The difficulty-aligned reward and the filter. */
export const curriculumFields: FieldsOf<'curriculum'> = {
  'curriculum.reward.kind': {
    label: 'Reward',
    meaning: 'What the environment is rewarded for; its filter looks at p̂ whatever this is.',
    paper: 'kernel',
    choices: {
      kernel: 'R_env = exp(−β(p̂ − α)²), with p̂ as “Measured over” says (GenEnv).',
      step: '1 in the band |p̂ − α| ≤ k_min, else 0, with p̂ as “Measured over” says.',
      learnability: 'p(1 − p) of each task, averaged over the scope (SFL).',
      'learnability-unbiased': 'The same without its bias on few attempts: k(n − k)/(n(n − 1)).',
      variance: 'Variance of each task’s verdicts over the largest possible (VCRL).',
      uncertainty: '1 − 2|p − ½| of each task, less a penalty for repeated texts (R-Zero).',
      proposer: '1 − p of each task, 0 for one that is never or always solved (Absolute Zero).',
      regret: 'Best reward of a task’s attempts less their mean (after PAIRED).',
      advantage: 'Mean distance of a task’s rewards from their mean (prioritised level replay).',
      file: 'What a file of your own gives for families and their attempts.',
      progress: 'Change of p̂ since the seed’s last family, where the agent was updated since (TSCL, ALP-GMM).',
    },
  },
  'curriculum.reward.repetition': {
    label: 'Repetition penalty',
    meaning: 'Penalty for a text that resembles others: this times the share of the epoch’s tasks that are alike.',
    paper: null,
    step: 0.1,
  },
  'curriculum.reward.file': {
    label: 'Rewards from a file',
    meaning:
      'A curriculum file of your own, in TypeScript, JavaScript or Python: once an epoch it is given all families with their attempts, and gives R_env. The limits of reward functions hold for it.',
    paper: null,
    none: 'no file',
    file: { kind: 'Curricula', endings: ['curriculum.ts', 'curriculum.js', 'curriculum.py'] },
  },
  'curriculum.alpha': {
    label: 'Target success rate',
    symbol: 'α',
    meaning: 'The success rate p̂ of the agent at which the environment is rewarded most.',
    paper: '0.5',
    step: 0.01,
  },
  'curriculum.alphaPoints': {
    label: 'Course of the target',
    meaning: 'Epochs and the α that holds from there on; before the first it is the target success rate.',
    paper: null,
    none: 'the same α in every epoch',
  },
  'curriculum.alphaBetween': {
    label: 'Between its points',
    meaning: 'How α goes from one point of its course to the next.',
    paper: null,
    choices: {
      steps: 'It stays, and changes at the next point.',
      line: 'It moves evenly, an epoch at a time; to the first point from epoch 1.',
    },
  },
  'curriculum.control.kind': {
    label: 'Controller of the target',
    meaning: 'What α is chosen by while the run goes, from a window of epochs to the next; it starts at the target.',
    paper: null,
    choices: {
      off: 'α is as it is set.',
      gain: 'Keeps points of validation per 1,000 rollouts high.',
      learnability: 'Keeps p(1 − p) of tasks high: how much their attempts can teach.',
      success: 'Holds p̂ itself at the target: α goes below it where tasks come out too easy, above where too hard.',
    },
  },
  'curriculum.control.every': {
    label: 'Epochs of a window',
    meaning: 'Epochs that an α stays and is measured before the next is chosen.',
    paper: null,
    step: 1,
  },
  'curriculum.control.step': {
    label: 'Its step',
    meaning: 'How far α moves at once.',
    paper: null,
    step: 0.01,
  },
  'curriculum.control.low': { label: 'Lowest α', meaning: 'The controller goes no lower.', paper: null, step: 0.05 },
  'curriculum.control.high': { label: 'Highest α', meaning: 'The controller goes no higher.', paper: null, step: 0.05 },
  'curriculum.beta': {
    label: 'Sharpness',
    symbol: 'β',
    meaning: 'How fast the reward R_env = exp(−β(p̂ − α)²) falls off beside the target.',
    paper: 'not given (its release: 2, unused)',
    step: 0.5,
  },
  'curriculum.lambda': {
    label: 'Weight temperature',
    symbol: 'λ',
    meaning: 'How strongly the environment follows its reward: its own texts are weighted with exp(λR_env).',
    paper: '1',
    step: 0.5,
  },
  'curriculum.kMin': {
    label: 'Band half width',
    symbol: 'k_min',
    meaning: 'What lies outside the band |p̂ − α| ≤ k_min is left out of the environment’s update.',
    paper: '0.1',
    step: 0.01,
  },
  'curriculum.scope': {
    label: 'Measured over',
    meaning: 'Over which attempts p̂ is measured and the filter decides.',
    paper: 'unclear (batch or task type)',
    choices: {
      epoch: 'One p̂ for the whole epoch: all weights are then equal.',
      family: 'All variations of one seed task in one epoch.',
      task: 'Every task by itself, on its own G attempts.',
    },
  },
  'curriculum.estimate': {
    label: 'Estimate',
    meaning: 'Which estimate of the success rate the reward and the filter are computed on.',
    paper: 'mean',
    choices: {
      mean: 'k/n, successes over attempts.',
      posterior: '(k + 1)/(n + 2), which shrinks few attempts towards one half.',
    },
  },
  'curriculum.filter': {
    label: 'Difficulty filter',
    meaning: 'What happens to families outside the band when the environment is updated.',
    paper: 'hard',
    choices: {
      hard: 'They are left out.',
      soft: 'They fade with their distance from the band.',
      off: 'They count like all others.',
    },
  },
  'curriculum.warmupEpochs': {
    label: 'Warm-up',
    meaning: 'Epochs at the start in which the filter is off, so that a cold start has something to learn from.',
    unit: 'epochs',
    paper: 'none',
    step: 1,
  },
};
