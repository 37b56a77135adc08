/**
 * An experiment file (`*.genenv.json`): what to run. A file gives what differs from its preset; `resolveExperiment`
 * fills in the rest, and the resolved form is what a run records. Symbols: paper §2 and Table 2.
 */
import * as z from 'zod';

const count = z.int().nonnegative();
const share = z.number().min(0).max(1);
const positive = z.number().positive();

/** What decides where a policy lives. */
const embeddedEndpoint = z.strictObject({
  kind: z.literal('embedded'),
  /** Shipped warm start (`agent`, `environment`) or a file made by `npm run pretrain`. */
  weights: z.string().describe('Warm-start weights: `agent`, `environment`, or a path to a weights file.'),
});
const endpointSchema = z.discriminatedUnion('kind', [embeddedEndpoint]);

const adamSchema = z.strictObject({
  beta1: z.number().min(0).lt(1).describe('AdamW β₁.'),
  beta2: z.number().min(0).lt(1).describe('AdamW β₂.'),
  epsilon: positive.describe('AdamW ε.'),
  weightDecay: z.number().min(0).describe('AdamW decoupled weight decay.'),
  gradClipNorm: z.number().min(0).describe('Global gradient norm to clip at; 0 is off.'),
});

const modeSchema = z.enum(['coevolve', 'random', 'static', 'offline', 'release']);
export type Mode = z.infer<typeof modeSchema>;

const curriculumSchema = z.strictObject({
  alpha: z.number().gt(0).lt(1).describe('α, the success rate the environment is rewarded for (paper: 0.5).'),
  beta: positive.max(1000).describe('β, sharpness of R_env = exp(−β(p̂ − α)²) (not in the paper; its release: 2).'),
  lambda: z.number().min(0).max(1000).describe('λ, temperature of the weights exp(λR_env) (paper: 1).'),
  kMin: z.number().min(0).max(1).describe('k_min, half width of the band |p̂ − α| ≤ k_min (paper: 0.1).'),
  scope: z.enum(['epoch', 'family', 'task']).describe('What p̂ and the filter range over.'),
  estimate: z.enum(['mean', 'posterior']).describe('R_env on p̂ = k/n, or on the posterior mean (k+1)/(n+2).'),
  filter: z.enum(['hard', 'soft', 'off']).describe('hard: leave out what is outside the band; soft: fade it; off.'),
  warmupEpochs: count.describe('Epochs at the start in which the filter is off.'),
});

export const experimentSchema = z.strictObject({
  version: z.literal(1),
  name: z.string().min(1),
  preset: z.enum(['default', 'paper', 'embedded']),
  mode: modeSchema,
  seed: count.max(2 ** 31 - 1),
  epochs: z.int().positive(),
  domain: z.strictObject({
    name: z.enum(['storekeeper']).describe('Kind of task.'),
    seeds: z.string().nullable().describe('JSONL of base tasks beside the experiment; null: the domain’s own.'),
    baseTasks: z.int().positive().describe('How many base tasks to use (paper A.3: 544).'),
  }),
  endpoints: z.strictObject({ agent: endpointSchema, environment: endpointSchema }),
  curriculum: curriculumSchema,
  generation: z.strictObject({
    families: z.int().positive().describe('Task families asked for in an epoch.'),
    variations: z.int().positive().describe('n, variations written per family (paper: 4 per prompt and epoch).'),
    temperature: positive.max(5),
    maxTokens: z.int().positive(),
    attempts: z.int().positive().describe('How often a rejected variation is written again before it is given up.'),
    condition: z.boolean().describe('Tell the environment the agent’s recent success rate.'),
    duplicates: z.enum(['epoch', 'run']).describe('Refuse a task already written in this epoch, or in this run.'),
    staticFamilies: z.int().positive().describe('Mode static: families written once, before epoch 1.'),
    staticVariations: z.int().positive().describe('Mode static: variations per family (paper A.3: 5).'),
    offlineFile: z.string().nullable().describe('Mode offline: JSONL of tasks made elsewhere.'),
    rankCut: z.number().min(0).lt(0.5).describe('Mode release: share of seeds cut at each end by rank.'),
    rankRollouts: z.int().positive().describe('Mode release: re-rollouts per seed for the ranking.'),
  }),
  rollouts: z.strictObject({
    group: z.int().min(2).describe('G, attempts per task (release: 8).'),
    baseShare: share.describe('Share of the batch drawn from the base tasks.'),
    poolShare: share.describe('Share of the batch drawn from tasks of earlier epochs in D_train.'),
    temperature: positive.max(5),
    maxTokens: z.int().positive(),
    maxTurns: z.int().positive(),
    maxStaleness: count.describe('Refuse to train on traces sampled more than this many agent updates ago.'),
  }),
  agent: z.strictObject({
    train: z.boolean().describe('false keeps the agent frozen: a no-training baseline.'),
    learningRate: positive,
    loss: z.enum(['importance_sampling', 'ppo', 'cispo']),
    clipLow: z.number().min(0).max(1).describe('Lower bound of the probability ratio.'),
    clipHigh: z.number().min(1).describe('Upper bound of the probability ratio.'),
    advantageNorm: z.enum(['none', 'group-std']),
    normalisation: z.enum(['seq-mean', 'token-mean']).describe('What the summed loss is divided by.'),
    minibatch: z.int().positive().describe('Sequences per optimiser step.'),
    passes: z.int().positive().describe('Passes over the epoch’s traces.'),
    klCoefficient: z.number().min(0).describe('KL to the initial agent, as shaping of the advantages.'),
    adam: adamSchema,
  }),
  environment: z.strictObject({
    learningRate: positive,
    steps: z.int().positive().describe('Optimiser sub-steps per update; the cap is checked after each.'),
    minibatch: z.int().positive().describe('Sequences per sub-step.'),
    tokenWeights: z.enum(['instance', 'sequence']).describe('instance: w/|y| on each token; sequence: w on each.'),
    bufferEpochs: z
      .int()
      .positive()
      .max(16)
      .describe('Train on the in-band families of this many last epochs (paper: 1).'),
    baseShare: share.lt(1).describe('Share of base examples mixed into the update.'),
    klCoefficient: z.number().min(0).describe('κ, KL to the initial simulator, per token.'),
    updateKlCap: positive.nullable().describe('Largest KL of one update, nats per token; sub-steps stop at it.'),
    totalKlCap: positive.nullable().describe('Largest KL to the initial simulator, nats per token.'),
    minFamilies: z.int().positive().describe('Fewest kept families for an update; below it the update is skipped.'),
    adam: adamSchema,
  }),
  validation: z.strictObject({
    every: count.describe('Epochs between validations; 0 is never. Epoch 0 and the last are always validated else.'),
    tasks: z.int().positive(),
    rollouts: z.int().positive(),
    temperature: z.number().min(0).max(5).describe('0 is greedy.'),
  }),
  budget: z.strictObject({
    tokens: z.int().positive().nullable(),
    rollouts: z.int().positive().nullable(),
    seconds: positive.nullable(),
  }),
  earlyStop: z
    .strictObject({
      patience: z.int().positive().describe('Validations without improvement before the run ends.'),
      minImprovement: share.describe('Smallest gain that counts.'),
    })
    .nullable(),
});
/** Every field present: what a run is started with and records in `run.json`. */
export type Experiment = z.infer<typeof experimentSchema>;
export type Curriculum = Experiment['curriculum'];
