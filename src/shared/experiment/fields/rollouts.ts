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
