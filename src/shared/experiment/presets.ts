/**
 * Three starting points. `paper` keeps every value the paper gives (its gaps take the release's or ours, docs/method.md);
 * `default` is the method with settings under which the curriculum has something to rank; `embedded` is sized for the
 * two small models that run on any machine.
 */
import type { Experiment } from './schema.ts';

export type PresetName = Experiment['preset'];

const adam = { beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, gradClipNorm: 1 };

const base: Experiment = {
  version: 1,
  name: 'experiment',
  preset: 'default',
  mode: 'coevolve',
  seed: 1,
  epochs: 10,
  domain: { name: 'storekeeper', seeds: null, heldOut: null, baseTasks: 544 },
  reward: { file: null, seconds: 10, megabytes: 512, network: false },
  endpoints: {
    agent: { kind: 'embedded', weights: 'agent' },
    environment: { kind: 'embedded', weights: 'environment' },
  },
  curriculum: {
    alpha: 0.5,
    beta: 10,
    lambda: 3,
    kMin: 0.25,
    scope: 'family',
    estimate: 'mean',
    filter: 'hard',
    warmupEpochs: 1,
  },
  generation: {
    families: 16,
    variations: 4,
    temperature: 1,
    maxTokens: 4096,
    attempts: 3,
    condition: true,
    duplicates: 'run',
    staticFamilies: 544,
    staticVariations: 5,
    agreementAnswers: 5,
    agreementShare: 0.6,
    agreementBy: 'environment',
    offlineFile: null,
    rankCut: 0.1,
    rankRollouts: 4,
  },
  rollouts: {
    group: 8,
    minGroup: null,
    baseShare: 0.125,
    poolShare: 0.125,
    temperature: 1,
    maxTokens: 4096,
    maxTurns: 1,
    maxStaleness: 1,
  },
  agent: {
    train: true,
    learningRate: 1e-5,
    loss: 'ppo',
    clipLow: 0.8,
    clipHigh: 1.28,
    advantageNorm: 'group-std',
    normalisation: 'token-mean',
    minibatch: 64,
    passes: 1,
    klCoefficient: 0,
    adam,
  },
  environment: {
    learningRate: 5e-6,
    steps: 4,
    minibatch: 64,
    tokenWeights: 'sequence',
    bufferEpochs: 3,
    baseShare: 0.125,
    klCoefficient: 0.02,
    updateKlCap: 0.05,
    totalKlCap: null,
    minFamilies: 2,
    adam,
  },
  validation: { every: 1, tasks: 400, rollouts: 1, temperature: 0 },
  evaluation: {
    every: 0,
    adapter: null,
    data: null,
    split: null,
    sample: 100,
    attempts: 1,
    temperature: 0,
    seed: 1,
  },
  budget: { tokens: null, rollouts: null, seconds: null },
  earlyStop: null,
};

export const presets: Record<PresetName, Experiment> = {
  default: base,
  paper: {
    ...base,
    preset: 'paper',
    curriculum: { ...base.curriculum, beta: 2, lambda: 1, kMin: 0.1, warmupEpochs: 0 },
    rollouts: { ...base.rollouts, maxTokens: 9000 },
    agent: { ...base.agent, learningRate: 1e-6, clipHigh: 1.2 },
    environment: { ...base.environment, learningRate: 5e-7, steps: 1, bufferEpochs: 1, baseShare: 0 },
  },
  embedded: {
    ...base,
    preset: 'embedded',
    epochs: 100,
    curriculum: { ...base.curriculum, warmupEpochs: 0 },
    generation: { ...base.generation, families: 14, variations: 4, maxTokens: 160 },
    rollouts: { ...base.rollouts, group: 8, baseShare: 0.125, poolShare: 0, maxTokens: 96 },
    agent: { ...base.agent, learningRate: 3e-4, minibatch: 32 },
    validation: { ...base.validation, temperature: 1 },
    environment: {
      ...base.environment,
      learningRate: 7e-4,
      steps: 3,
      bufferEpochs: 3,
      baseShare: 0.25,
      klCoefficient: 0.01,
      updateKlCap: 0.2,
    },
  },
};
