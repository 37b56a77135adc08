/**
 * An experiment file (`*.genenv.json`): what to run. A file contains its differences from a preset; `resolveExperiment`
 * fills in the rest, and a run records the resolved form. `fields.ts` describes each field.
 */
import * as z from 'zod';
import { endpointSchema, keyReference, webAddress } from './endpoints/endpoint.ts';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const positive = z.number().positive();

const adamSchema = z.strictObject({
  beta1: z.number().min(0).lt(1),
  beta2: z.number().min(0).lt(1),
  epsilon: positive,
  weightDecay: z.number().min(0),
  gradClipNorm: z.number().min(0),
});

const modeSchema = z.enum(['coevolve', 'random', 'static', 'offline', 'release']);
export type Mode = z.infer<typeof modeSchema>;

/** The environment's rewards: a file of `src/engine/rewardKinds` each. */
export const rewardNameSchema = z.enum([
  'kernel',
  'step',
  'learnability',
  'learnability-unbiased',
  'variance',
  'uncertainty',
  'proposer',
  'regret',
  'advantage',
  'progress',
  'file',
]);

const curriculumSchema = z.strictObject({
  reward: z.strictObject({
    kind: rewardNameSchema,
    repetition: z.number().min(0).max(100),
    /** Of kind `file`. */
    file: z.string().nullable(),
  }),
  alpha: z.number().gt(0).lt(1),
  alphaPoints: z
    .array(z.strictObject({ epoch: z.int().positive(), alpha: z.number().gt(0).lt(1) }))
    .min(1)
    .nullable(),
  alphaBetween: z.enum(['steps', 'line']),
  control: z.strictObject({
    kind: z.enum(['off', 'gain', 'learnability', 'success']),
    /** At most the epochs whose scores a run's state holds. */
    every: z.int().positive().max(16),
    step: z.number().positive().max(0.5),
    low: z.number().gt(0).lt(1),
    high: z.number().gt(0).lt(1),
  }),
  beta: positive.max(1000),
  lambda: z.number().min(0).max(1000),
  kMin: z.number().min(0).max(1),
  scope: z.enum(['epoch', 'family', 'task']),
  estimate: z.enum(['mean', 'posterior']),
  filter: z.enum(['hard', 'soft', 'off']),
  warmupEpochs: count,
});

/** How a batch picks given tasks: `src/engine/samplers`. */
export const samplerSchema = z.strictObject({
  kind: z.enum(['uniform', 'plr', 'easiest-first', 'band']),
  temperature: positive.max(100),
  staleness: share,
});

const domainSchema = z.strictObject({
  name: z.enum([
    'storekeeper',
    'stories',
    'reasoning',
    'bfcl',
    'api-bank',
    'bamboogle',
    'alfworld',
    'travelplanner',
    'file',
  ]),
  file: z.string().nullable(),
  seeds: z.string().nullable(),
  heldOut: z.string().nullable(),
  baseTasks: z.int().positive(),
  taskSeed: count.max(2 ** 31 - 1),
});

/** Curricula by name: `named/methods.ts`. */
const methodSchema = z.enum([
  'genenv',
  'r-zero',
  'absolute-zero',
  'proposer-solver',
  'sfl',
  'vcrl',
  'plr',
  'accel',
  'random',
  'static',
  'offline',
]);

export const experimentSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  preset: z.enum(['default', 'paper', 'embedded']),
  method: methodSchema,
  mode: modeSchema,
  seed: count.max(2 ** 31 - 1),
  epochs: z.int().positive(),
  domain: domainSchema,
  /** Several domains in one run, in place of `domain`, which is not read then (`domains.ts`). */
  domains: z
    .array(domainSchema.extend({ share: positive }))
    .min(2)
    .optional(),
  reward: z.strictObject({
    file: z.string().nullable(),
    seconds: positive.max(3600),
    megabytes: z.int().min(64),
    network: z.boolean(),
  }),
  endpoints: z.strictObject({ agent: endpointSchema, environment: endpointSchema }),
  curriculum: curriculumSchema,
  generation: z.strictObject({
    families: z.int().positive(),
    variations: z.int().positive(),
    perSeed: z.int().positive().max(64),
    editShare: share,
    temperature: positive.max(5),
    maxTokens: z.int().positive(),
    maxSequence: z.int().positive().nullable(),
    attempts: z.int().positive(),
    condition: z.boolean(),
    duplicates: z.enum(['epoch', 'run']),
    heldOutRun: z.int().min(8).max(1000).nullable(),
    testSets: z.string().nullable(),
    staticFamilies: z.int().positive(),
    staticVariations: z.int().positive(),
    agreementAnswers: count,
    agreementShare: share,
    agreementBy: z.enum(['environment', 'agent']),
    offlineFile: z.string().nullable(),
    rankCut: z.number().min(0).lt(0.5),
    rankRollouts: z.int().positive(),
    embeddingUrl: webAddress.nullable(),
    embeddingModel: z.string().min(1).nullable(),
    embeddingKey: keyReference,
  }),
  rollouts: z.strictObject({
    group: z.int().min(2),
    minGroup: z.int().positive().nullable(),
    batch: z.int().positive().nullable(),
    order: z.enum(['drawn', 'longest']),
    cutOff: z.enum(['off', 'band']),
    spare: share,
    staleness: count.max(8),
    late: share,
    baseShare: share,
    poolShare: share,
    sampler: samplerSchema,
    temperature: positive.max(5),
    maxTokens: z.int().positive(),
    maxSequence: z.int().positive().nullable(),
    maxTurns: z.int().positive(),
  }),
  agent: z.strictObject({
    train: z.boolean(),
    learningRate: positive,
    loss: z.enum(['importance_sampling', 'ppo', 'cispo']),
    clipLow: z.number().min(0).max(1),
    clipHigh: z.number().min(1),
    advantageNorm: z.enum(['none', 'group-std']),
    normalisation: z.enum(['seq-mean', 'token-mean']),
    minibatch: z.int().positive(),
    minibatchUnit: z.enum(['sequence', 'task']),
    passes: z.int().positive(),
    stream: z.boolean(),
    klCoefficient: z.number().min(0),
    adam: adamSchema,
  }),
  environment: z.strictObject({
    update: z.enum(['rwr', 'grpo', 'rejection', 'none']),
    learningRate: positive,
    steps: z.int().positive(),
    minibatch: z.int().positive(),
    tokenWeights: z.enum(['instance', 'sequence']),
    bufferEpochs: z.int().positive().max(16),
    baseShare: share.lt(1),
    anchors: z.enum(['any', 'target']),
    klCoefficient: z.number().min(0),
    updateKlCap: positive.nullable(),
    totalKlCap: positive.nullable(),
    minFamilies: z.int().positive(),
    keepBest: share.gt(0),
    loss: z.enum(['importance_sampling', 'ppo', 'cispo']),
    clipLow: z.number().min(0).max(1),
    clipHigh: z.number().min(1),
    advantageNorm: z.enum(['none', 'group-std']),
    invalidReward: z.number().min(-10).max(1).nullable(),
    adam: adamSchema,
  }),
  validation: z.strictObject({
    every: count,
    tasks: z.int().positive(),
    rollouts: z.int().positive(),
    temperature: z.number().min(0).max(5),
  }),
  evaluation: z.strictObject({
    every: count,
    adapter: z.string().nullable(),
    data: z.string().nullable(),
    split: z.string().nullable(),
    sample: z.int().positive().nullable(),
    attempts: z.int().positive(),
    temperature: z.number().min(0).max(5),
    seed: count.max(2 ** 31 - 1),
  }),
  crossPlay: z.strictObject({ every: count, rollouts: z.int().min(32) }),
  budget: z.strictObject({
    tokens: z.int().positive().nullable(),
    rollouts: z.int().positive().nullable(),
    seconds: positive.nullable(),
    cost: positive.nullable(),
    hours: positive.nullable(),
  }),
  earlyStop: z
    .strictObject({
      patience: z.int().positive(),
      minImprovement: share,
    })
    .nullable(),
});
/** Every field present: a run starts with this form and records it in `run.json`. */
export type Experiment = z.infer<typeof experimentSchema>;
export type Curriculum = Experiment['curriculum'];
