import type { FieldsOf } from '../field.ts';

/** How the agent attempts tasks, in training and in validation. */
export const rolloutFields: FieldsOf<'rollouts' | 'validation'> = {
  'rollouts.group': {
    label: 'Attempts per task',
    symbol: 'G',
    meaning: 'How often the agent attempts each task: the group whose mean reward GRPO compares with.',
    unit: 'per task',
    paper: 'not given (its release: 8)',
    step: 1,
  },
  'rollouts.minGroup': {
    label: 'Smallest group',
    meaning:
      'Attempts a task must have to count where the endpoint cannot answer some of them for good; with fewer the run stops. An episode that dies costs its own attempt alone where it is null.',
    unit: 'per task',
    paper: null,
    step: 1,
    none: 'all of them',
  },
  'rollouts.batch': {
    label: 'Tasks of a round',
    meaning:
      'The agent attempts so many tasks and learns from them before it attempts the next: an epoch has as many rounds as ' +
      'its tasks fill.',
    unit: 'tasks',
    paper: '64',
    step: 8,
    none: 'all of the epoch',
  },
  'rollouts.order': {
    label: 'Order of attempts',
    meaning:
      'Which attempts begin first where an endpoint has no room for all. It changes no answer, only how long the epoch’s ' +
      'last ones are waited for.',
    paper: null,
    choices: {
      drawn: 'As the tasks were drawn or written.',
      longest: 'The longest expected first, by the newest answers to tasks of the same base task.',
    },
  },
  'rollouts.cutOff': {
    label: 'Cut-off',
    meaning:
      'Whether further attempts at a family are left out once it cannot come into the band any more. p̂ of such families, and ' +
      'all figures that pool attempts, then lean to families inside.',
    paper: null,
    choices: {
      off: 'All attempts are made.',
      band: 'In stages: attempts of a family end when its p̂ cannot fall into |p̂ − α| ≤ k_min, however the others end.',
    },
  },
  'rollouts.spare': {
    label: 'Spare groups',
    meaning:
      'Groups begun beyond those that count, as a share of them: the first complete families and mixed tasks count, the others ' +
      'fall out, so that no epoch waits for its slowest. Favours short answers: p̂ and what is learned lean to tasks that are ' +
      'answered fast. 0 is none.',
    paper: null,
    step: 0.05,
  },
  'rollouts.staleness': {
    label: 'Staleness',
    meaning:
      'Epochs that are written and attempted before the updates they follow are done, by the versions there are then: ' +
      'samplers do not wait for trainers. 0 is strictly on-policy.',
    unit: 'epochs',
    paper: 'not given',
    step: 1,
  },
  'rollouts.late': {
    label: 'Late groups',
    meaning:
      'Share of an epoch’s families and mixed tasks that its updates do not wait for: the last to be complete count in the next ' +
      'epoch, one version older. Nothing falls out. 0 waits for all; so does the last epoch.',
    paper: null,
    step: 0.05,
  },
  'rollouts.baseShare': {
    label: 'Share of base tasks',
    meaning: 'Share of each batch that is drawn from the base tasks.',
    paper: null,
    step: 0.025,
  },
  'rollouts.poolShare': {
    label: 'Share of pool tasks',
    meaning: 'Share of each batch that is drawn from tasks of earlier epochs in D_train.',
    paper: 'not given (samples from the accumulated pool)',
    step: 0.025,
  },
  'rollouts.sampler.kind': {
    label: 'Draws given tasks',
    meaning:
      'How a batch picks its base tasks, tasks of earlier epochs, and the tasks that modes “static” and “offline” are given.',
    paper: 'uniform',
    choices: {
      uniform: 'All alike, by chance.',
      plr: 'By rank of the spread of their last rewards, and by age; new ones in proportion (prioritised level replay).',
      'easiest-first': 'Once through all of them, then again and again: each pass from the highest p̂ to the lowest.',
      band: 'Those whose last p̂ lies in the band |p̂ − α| ≤ k_min, else the nearest; new ones in proportion.',
    },
  },
  'rollouts.sampler.temperature': {
    label: 'Temperature of ranks',
    symbol: 'β',
    meaning:
      'How evenly ranks are drawn: a task of rank r with weight (1/r)^(1/β), so that a small value keeps to the top.',
    paper: null,
    step: 'ratio',
  },
  'rollouts.sampler.staleness': {
    label: 'Share by age',
    symbol: 'ρ',
    meaning: 'Share of repeated tasks that are drawn by the epochs since their last attempt, whatever their score.',
    paper: null,
    step: 0.05,
  },
  'rollouts.temperature': {
    label: 'Temperature',
    meaning:
      'Sampling temperature of the agent in training. Logprobs, ratios and KLs are of temperature 1, whatever it is.',
    paper: 'not given (its release: 1)',
    step: 0.05,
  },
  'rollouts.maxTokens': {
    label: 'Longest answer',
    meaning: 'Tokens after which an answer of the agent is cut.',
    unit: 'tokens',
    paper: null,
    step: 'ratio',
  },
  'rollouts.maxSequence': {
    label: 'Longest prompt and answer',
    meaning: 'Tokens that a prompt and its answer may have together; the answer is cut there.',
    unit: 'tokens',
    paper: '9,000',
    step: 'ratio',
    none: 'what the model holds',
  },
  'rollouts.maxTurns': {
    label: 'Turns',
    meaning: 'How often the agent may act in one attempt; above 1 it sees what its calls return.',
    unit: 'per attempt',
    paper: null,
    step: 1,
  },
  'validation.every': {
    label: 'Validate every',
    meaning: 'Epochs between validations; 0 is never, else epoch 0 and the last are validated too.',
    unit: 'epochs',
    paper: null,
    step: 1,
  },
  'validation.tasks': {
    label: 'Tasks',
    meaning: 'How many held-out tasks are attempted at each validation.',
    unit: 'tasks',
    paper: null,
    step: 1,
  },
  'validation.rollouts': {
    label: 'Attempts',
    meaning: 'How often each validation task is attempted.',
    unit: 'per task',
    paper: null,
    step: 1,
  },
  'validation.temperature': {
    label: 'Temperature',
    meaning: 'Sampling temperature in validation; 0 is greedy decoding.',
    paper: null,
    step: 0.05,
  },
};
