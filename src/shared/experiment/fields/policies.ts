import type { Field, FieldsOf } from '../field.ts';

/** The optimiser of one policy; both have the same fields. */
function adamFields<P extends 'agent' | 'environment'>(policy: P) {
  const fields = {
    beta1: {
      label: 'AdamW β₁',
      symbol: 'β₁',
      meaning: 'Decay of the running mean of gradients.',
      paper: null,
      step: 0.01,
    },
    beta2: {
      label: 'AdamW β₂',
      symbol: 'β₂',
      meaning: 'Decay of the running mean of squared gradients.',
      paper: null,
      step: 0.01,
    },
    epsilon: {
      label: 'AdamW ε',
      symbol: 'ε',
      meaning: 'Keeps the step finite where gradients vanish.',
      paper: null,
      step: 'ratio',
    },
    weightDecay: {
      label: 'Weight decay',
      meaning: 'Decoupled weight decay: what each step takes off the weights, times the learning rate.',
      paper: null,
      step: 0.01,
    },
    gradClipNorm: {
      label: 'Gradient clip',
      meaning: 'Global norm at which gradients are clipped; 0 is off.',
      paper: null,
      step: 0.1,
    },
  } satisfies Record<string, Field>;
  return prefixed(`${policy}.adam`, fields);
}

type Prefixed<P extends string, T> = { [K in keyof T & string as `${P}.${K}`]: Field };

function prefixed<P extends string, T extends Record<string, Field>>(prefix: P, fields: T): Prefixed<P, T>;
function prefixed(prefix: string, fields: Record<string, Field>): Record<string, Field> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${prefix}.${name}`, field]));
}

/** How the agent learns. */
export const agentFields: FieldsOf<'agent'> = {
  'agent.train': {
    label: 'Train the agent',
    meaning: 'Off keeps the agent frozen: a baseline that only measures.',
    paper: 'yes',
  },
  'agent.learningRate': {
    label: 'Learning rate',
    meaning: 'Step size of the agent’s optimiser.',
    paper: '1e-6',
    step: 'ratio',
  },
  'agent.loss': {
    label: 'Loss',
    meaning: 'How a token’s advantage becomes a gradient once the policy has moved off the one that sampled it.',
    paper: 'GRPO (its release: PPO’s clip)',
    choices: {
      importance_sampling: 'Advantage times the probability ratio, unclipped.',
      ppo: 'The ratio clipped; tokens outside the bounds give no gradient.',
      cispo: 'The ratio clipped as a constant weight; every token keeps its gradient.',
    },
  },
  'agent.clipLow': {
    label: 'Ratio at least',
    meaning: 'Lower bound of the probability ratio.',
    paper: 'not given (its release: 0.8)',
    step: 0.01,
  },
  'agent.clipHigh': {
    label: 'Ratio at most',
    meaning: 'Upper bound of the probability ratio.',
    paper: 'not given (its release: 1.2)',
    step: 0.01,
  },
  'agent.advantageNorm': {
    label: 'Advantage',
    meaning: 'Whether a group’s advantages, reward minus the group’s mean, are divided by their deviation.',
    paper: 'not given (its release: group-std)',
    choices: { none: 'Reward minus the mean of its group.', 'group-std': 'The same, divided by the deviation.' },
  },
  'agent.normalisation': {
    label: 'Normalisation',
    meaning: 'What the loss, a sum over tokens, is divided by.',
    paper: null,
    choices: {
      'seq-mean': 'By the number of sequences of the step: a long answer weighs more than a short one.',
      'token-mean': 'By the number of sampled tokens of the step: every token weighs alike.',
    },
  },
  'agent.minibatch': {
    label: 'Minibatch',
    meaning: 'How much one optimiser step learns from, counted in what the next field says.',
    paper: '64 prompts',
    step: 8,
  },
  'agent.minibatchUnit': {
    label: 'Counted in',
    meaning: 'What a minibatch counts: single attempts, or tasks with all their attempts, as the paper’s batch does.',
    paper: 'task',
    choices: {
      sequence: 'Attempts, whichever task they belong to.',
      task: 'Tasks: a group of attempts stays together.',
    },
  },
  'agent.passes': {
    label: 'Passes',
    meaning: 'How often a round’s traces are trained on.',
    unit: 'per round',
    paper: null,
    step: 1,
  },
  'agent.stream': {
    label: 'Stream minibatches',
    meaning:
      'A minibatch is trained as soon as enough groups are complete, while others are still attempted: the trainer does not ' +
      'wait for the slowest answer. Minibatches then follow that order.',
    paper: null,
  },
  'agent.klCoefficient': {
    label: 'KL coefficient',
    meaning: 'Pulls the agent to where it started: KL to the initial agent as shaping of the advantages.',
    paper: 'not given (its release: 0.001)',
    step: 0.005,
  },
  ...adamFields('agent'),
};

/** How the environment learns. */
export const environmentFields: FieldsOf<'environment'> = {
  'environment.update': {
    label: 'Update',
    meaning: 'How the environment learns from its reward.',
    paper: 'rwr',
    choices: {
      rwr: 'Reward-weighted regression: its kept texts, weighted with exp(λR_env) (GenEnv).',
      grpo: 'GRPO: texts that were written after the same words are compared with each other (R-Zero, proposer–solver work).',
      rejection: 'Rejection fine-tuning: the best of its kept texts, all alike.',
      none: 'It is not trained.',
    },
  },
  'environment.keepBest': {
    label: 'Share that is best',
    meaning:
      'Share of the kept texts, those with the highest R_env, that rejection fine-tuning learns; ties count too.',
    paper: null,
    step: 0.05,
  },
  'environment.loss': {
    label: 'Loss',
    meaning: 'How a token’s advantage becomes a gradient once the policy has moved off the one that wrote it.',
    paper: null,
    choices: {
      importance_sampling: 'Advantage times the probability ratio, unclipped.',
      ppo: 'The ratio clipped; tokens outside the bounds give no gradient.',
      cispo: 'The ratio clipped as a constant weight; every token keeps its gradient.',
    },
  },
  'environment.clipLow': {
    label: 'Ratio at least',
    meaning: 'Lower bound of the probability ratio.',
    paper: null,
    step: 0.01,
  },
  'environment.clipHigh': {
    label: 'Ratio at most',
    meaning: 'Upper bound of the probability ratio.',
    paper: null,
    step: 0.01,
  },
  'environment.advantageNorm': {
    label: 'Advantage',
    meaning:
      'Whether advantages, R_env minus the mean of texts written after the same words, are divided by their deviation.',
    paper: null,
    choices: { none: 'R_env minus the mean of its group.', 'group-std': 'The same, divided by the deviation.' },
  },
  'environment.invalidReward': {
    label: 'Reward of no task',
    meaning: 'What a text earns that became no task; without it such texts are left out.',
    paper: null,
    none: 'left out',
    step: 0.1,
  },
  'environment.learningRate': {
    label: 'Learning rate',
    meaning: 'Step size of the environment’s optimiser.',
    paper: '5e-7',
    step: 'ratio',
  },
  'environment.steps': {
    label: 'Steps',
    meaning: 'Optimiser steps of one update at most; the KL cap is checked after each.',
    unit: 'per update',
    paper: '1 update per epoch',
    step: 1,
  },
  'environment.minibatch': {
    label: 'Minibatch',
    meaning: 'Sequences in one optimiser step.',
    unit: 'sequences',
    paper: '64',
    step: 8,
  },
  'environment.tokenWeights': {
    label: 'Weight of a token',
    meaning: 'How a text’s weight w is spread over its tokens y.',
    paper: null,
    choices: { instance: 'w/|y| each: long texts weigh as much as short ones.', sequence: 'w each.' },
  },
  'environment.bufferEpochs': {
    label: 'Buffer',
    meaning: 'Over how many of the last epochs kept families are trained on.',
    unit: 'epochs',
    paper: '1',
    step: 1,
  },
  'environment.baseShare': {
    label: 'Share of anchors',
    meaning: 'Share of base tasks mixed into the update, which keeps the form of what the environment writes.',
    paper: null,
    step: 0.025,
  },
  'environment.anchors': {
    label: 'Anchors',
    meaning: 'Which base tasks are mixed into the update.',
    paper: null,
    choices: {
      any: 'Any: they pull the difficulty of what is written to that of base data.',
      target:
        'Those that the agent is likely to solve at a rate inside the band, by their likeness to scored families.',
    },
  },
  'environment.klCoefficient': {
    label: 'KL coefficient',
    symbol: 'κ',
    meaning: 'Pulls the environment to the initial simulator, per token.',
    paper: 'not given',
    step: 0.005,
  },
  'environment.updateKlCap': {
    label: 'KL cap of an update',
    meaning: 'Largest KL of one update; its steps stop once it is passed.',
    unit: 'nats per token',
    paper: 'not given',
    step: 0.01,
    none: 'no cap',
  },
  'environment.totalKlCap': {
    label: 'KL cap in total',
    meaning: 'KL to the initial simulator past which an update stops learning and is led back.',
    unit: 'nats per token',
    paper: null,
    step: 0.01,
    none: 'no cap',
  },
  'environment.minFamilies': {
    label: 'Fewest families',
    meaning: 'Kept families below which the update is skipped.',
    unit: 'families',
    paper: null,
    step: 1,
  },
  ...adamFields('environment'),
};
