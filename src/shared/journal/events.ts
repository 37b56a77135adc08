/**
 * The run's journal: its events in order, as one JSON object a line. State is a fold over these events; the large
 * records (tasks, traces) are in files beside the journal, referred to by id. Only `at` and `seconds` depend on when
 * and where a run happened: with the same seed and the same endpoint answers everything else is byte-identical.
 */
import * as z from 'zod';
import { folderName } from '../records/folderName.ts';
import { taskEditSchema } from '../records/taskEdit.ts';
import { cutFamilySchema } from './cutFamily.ts';
import { droppedSchema } from './dropped.ts';
import { crossPlaySchema } from './crossPlay.ts';
import { curriculumSettingsSchema } from './curriculum.ts';
import { drawSchema, measureSchema, samplerInForce } from './draws.ts';
import { controlSchema } from './control.ts';
import { familyScoreSchema, passAtKSchema, successRateSchema } from './scores.ts';
import { writtenQualitySchema } from './quality.ts';
import { bothCheckpointsSchema, bothVersionsSchema, checkpointSchema, policyVersionSchema } from './weights.ts';

export const journalVersion = 1;

const count = z.int().nonnegative();
const tally = z.record(z.string(), count);

/** Figures of one domain of several; a run with one has none of these. */
const ofDomain = { domain: z.string() };

/** Groups by how much they can teach: rewarded alike, all solved or not; rewarded differently; too few judged attempts. */
const groupsSchema = z.strictObject({
  ...{ solved: count, hopeless: count, trained: count, broken: count },
  /** Obsolete: always 0, written by older releases with a bound that was never reached. */
  stale: count.optional(),
});

/** Which of the epoch's rounds of attempts and agent update, from 1; absent where the epoch has one. */
const round = z.int().positive().optional();

/** When its weights were given to samplers, and how long that took; absent of embedded models. */
const published = z.array(z.strictObject({ at: z.number(), seconds: z.number() })).optional();
/** Sequences and tokens that entropy and KLs are measured on; absent where an older release took a sample. */
const measured = z.strictObject({ sequences: count, tokens: count }).optional();

/** Completions that an endpoint failed to produce after its retries; the first few causes by name. */
export const unansweredSchema = z.strictObject({
  count,
  causes: z.array(z.strictObject({ cause: z.string(), count })),
});
export type Unanswered = z.infer<typeof unansweredSchema>;

/** A batch trainer's job: its own name of it, and the last value of every metric it logged. */
const jobSchema = z.strictObject({ id: z.string(), metrics: z.record(z.string(), z.number()) });

/** Attempts that a job's own copy of the scorer judged otherwise than the scorer here, whose verdict counts. */
const disagreementsSchema = z.strictObject({ count, example: z.string() });
export type Disagreements = z.infer<typeof disagreementsSchema>;

/** Tokens sampled among `tokens`; only where the experiment's endpoints have prices of tokens. */
const sampled = count.optional();

/**
 * Prompt tokens as they were sent: every turn sends all before it, of which `tokens` counts the last turn's alone. Stands
 * beside `sampled`; absent in journals of older versions.
 */
const sent = count.optional();

/** Tokens of all sequences trained on, prompts included, each as often as it was; where tokens have prices. */
const trained = count.optional();

/** When the phase ended, where its event waited for an epoch before it (`rollouts.staleness`); else it ended at `at`. */
const ended = z.strictObject({ at: z.number() }).optional();

/** A budget was used up: nothing further was begun. */
const cutSchema = z
  .strictObject({
    by: z.enum(['cost', 'hours']),
    /** As it was set. */
    budget: z.number(),
    /** Texts or attempts that were not begun. */
    left: count,
  })
  .optional();
export type Cut = NonNullable<z.infer<typeof cutSchema>>;

/**
 * Of an endpoint, by the policies that share it: seconds of all its slots together, and of those with a request of this process
 * in them.
 */
const slotsSchema = z.strictObject({
  roles: z.array(z.enum(['agent', 'environment'])),
  used: z.strictObject({ seconds: z.number() }),
  room: z.strictObject({ seconds: z.number() }),
});
export type Slots = z.infer<typeof slotsSchema>;

const head = { v: z.literal(journalVersion), seq: count, at: z.number() };
const inEpoch = { ...head, epoch: count };

const poolSizes = {
  agent: z.strictObject({ addedTasks: count, addedTraces: count, tasks: count, traces: count }),
  environment: z.strictObject({ added: count, size: count }),
};

export const epochSummarySchema = z.strictObject({
  epoch: count,
  /** Over the tasks the epoch set out to calibrate (generated, static or offline), base tasks left out. */
  successRate: successRateSchema,
  /** Share of families with |p̂ − α| ≤ k_min. */
  inBand: z.number(),
  /** Mean R_env over the families of which it is known; null where it is known of none. */
  environmentReward: z.number().nullable(),
  familiesKept: count,
  families: count,
  /** (Σw)²/Σw² of the weights in the environment update. */
  effectiveSampleSize: z.number(),
  /** Nats per sampled token against the initial policy. */
  kl: z.strictObject({ agent: z.number().nullable(), environment: z.number().nullable() }),
  /** Mean tokens of a task's text and of an answer. */
  taskLength: z.number().nullable(),
  answerLength: z.number().nullable(),
  rejected: tally,
  rollouts: count,
  /** Null where those of some attempts are not known. */
  tokens: count.nullable(),
  /** Tokens as they are billed, `sampled` and `sent`; where tokens have prices. */
  billed: count.optional(),
  /** On the clock, pauses left out; older versions wrote the sum over its phases (`epochSeconds`). */
  seconds: z.number(),
  validation: successRateSchema.optional(),
  /** Attempts at the benchmark. Absent without, and in journals of older versions. */
  evaluated: count.optional(),
  domains: z
    .array(
      z.strictObject({
        ...ofDomain,
        successRate: successRateSchema,
        ...{ inBand: z.number(), environmentReward: z.number().nullable(), familiesKept: count, families: count },
        validation: successRateSchema.optional(),
      }),
    )
    .optional(),
});
export type EpochSummary = z.infer<typeof epochSummarySchema>;

/** Why a run ended; `no-tasks`: the environment wrote nothing that could be used. */
export const endingSchema = z.enum([
  'epochs',
  'budget-tokens',
  'budget-rollouts',
  'budget-seconds',
  'budget-cost',
  'budget-hours',
  'early-stop',
  'no-tasks',
]);
export type Ending = z.infer<typeof endingSchema>;

export const eventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('run.started'),
    mode: z.string(),
    seed: count,
    epochs: count,
    agent: policyVersionSchema,
    environment: policyVersionSchema,
    checkpoints: bothCheckpointsSchema,
    base: count,
    validation: count,
    /** `share`: 0…1, all sum to 1. */
    domains: z.array(z.strictObject({ ...ofDomain, share: z.number(), base: count, validation: count })).optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('epoch.started'),
    settings: curriculumSettingsSchema,
    /** How its α was chosen; absent without a controller. */
    control: controlSchema.optional(),
    versions: bothVersionsSchema,
    /** The versions that write and attempt its tasks, where they are not the newest (`rollouts.staleness`). */
    sampled: bothVersionsSchema.optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('tasks.generated'),
    families: count,
    written: count,
    accepted: count,
    rejected: tally,
    tokens: count,
    sampled,
    sent,
    /**
     * Independent answers that the agent gave to new tasks (`generation.agreementBy`), which `sampled` and `sent` leave out.
     * Absent where it gave none, and in journals of older versions, whose `sampled` contains them.
     */
    byAgent: z.strictObject({ sampled: count, sent: count }).optional(),
    /** Plans that no text was written from, with their part of `tokens`; absent for none, and in journals of older versions. */
    plansAlone: z.strictObject({ plans: count, tokens: count }).optional(),
    cut: cutSchema,
    taskLength: z.number().nullable(),
    /** Absent for fewer than two tasks, for domains without comparable words, and in journals of older versions. */
    quality: writtenQualitySchema.optional(),
    seconds: z.number(),
    ended,
    unanswered: unansweredSchema.optional(),
    domains: z
      .array(
        z.strictObject({
          ...ofDomain,
          ...{ families: count, written: count, accepted: count, rejected: tally, taskLength: z.number().nullable() },
          quality: writtenQualitySchema.optional(),
        }),
      )
      .optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('tasks.drawn'),
    sampler: samplerInForce,
    draws: z.array(drawSchema),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('rollouts.finished'),
    round,
    tasks: count,
    rollouts: count,
    /** Null where a job of a cluster did not count the tokens of each attempt; older versions counted these as 0. */
    tokens: count.nullable(),
    sampled,
    sent,
    cut: cutSchema,
    truncated: count,
    invalid: count,
    checkerErrors: count,
    answerLength: z.number().nullable(),
    seconds: z.number(),
    ended,
    /**
     * The part of `rollouts` and `tokens` that went into mode `release`'s ranking of seeds; older releases left its
     * tokens out.
     */
    ranking: z.strictObject({ rollouts: count, tokens: count }).optional(),
    unanswered: unansweredSchema.optional(),
    disagreements: disagreementsSchema.optional(),
    /** Families cut off before all of their attempts were made; absent where none was. */
    cutOff: z.array(cutFamilySchema).optional(),
    /** Groups that fell out; no other member counts them. Absent where none did. */
    dropped: droppedSchema.optional(),
    /**
     * Tasks whose groups were not complete when the epoch's updates began: they count in the next epoch's event, whose
     * members contain them (`rollouts.late`). Absent where none was.
     */
    late: z.array(z.string()).optional(),
    /** Mean tokens of answers by base task, where `rollouts.order` or `rollouts.spare` reads them. */
    lengths: z.array(z.strictObject({ seed: z.string(), tokens: count })).optional(),
    /** Without mode `release`'s ranking. */
    domains: z
      .array(
        z.strictObject({
          ...ofDomain,
          ...{ tasks: count, rollouts: count, truncated: count, invalid: count, checkerErrors: count },
          answerLength: z.number().nullable(),
        }),
      )
      .optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('families.scored'),
    scope: z.enum(['epoch', 'family', 'task']),
    families: z.array(familyScoreSchema),
    /** Generated (or static, offline) tasks only. */
    successRate: successRateSchema,
    /** Base and pool tasks mixed into the batch. */
    baseSuccessRate: successRateSchema,
    inBand: z.number(),
    environmentReward: z.number().nullable(),
    familiesKept: count,
    effectiveSampleSize: z.number(),
    /** Every task of the batch as later epochs draw it; absent where `rollouts.sampler` reads nothing of attempts. */
    measures: z.array(measureSchema).optional(),
    domains: z
      .array(
        z.strictObject({
          ...ofDomain,
          families: count,
          successRate: successRateSchema,
          baseSuccessRate: successRateSchema,
          ...{ inBand: z.number(), environmentReward: z.number().nullable(), familiesKept: count },
          /** Sum of its families' weights: its part of this epoch's instances in the environment's update. */
          weight: z.number(),
        }),
      )
      .optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('agent.updated'),
    round,
    version: policyVersionSchema,
    checkpoint: checkpointSchema,
    groups: groupsSchema,
    steps: count,
    sequences: count,
    // Null, here and below: a job does not report it.
    tokens: count.nullable(),
    trained,
    loss: z.number().nullable(),
    /**
     * Of the updated agent, −mean (p′/q)·ln p′ over the sampled tokens of all attempts of the round, those that teach
     * nothing included. Nats per token.
     */
    entropy: z.number().nullable(),
    gradNorm: z.number().nullable(),
    kl: z.strictObject({
      /** Sampler against trainer before the update: v1 = mean(q − p), v2 = ½ mean((q − p)²). */
      sampleTrainV1: z.number().nullable(),
      sampleTrainV2: z.number().nullable(),
      /** Before against after the update, ½ mean((q − p′)²), over the same tokens as the entropy. */
      prePost: z.number().nullable(),
      /** After the update against the initial agent, mean (p′/q)(p′ − b), over the same tokens; null: not measured. */
      reference: z.number().nullable(),
    }),
    measured,
    published,
    job: jobSchema.optional(),
    seconds: z.number(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('agent.skipped'),
    round,
    reason: z.string(),
    groups: groupsSchema,
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('environment.updated'),
    version: policyVersionSchema,
    checkpoint: checkpointSchema,
    families: count,
    sequences: count,
    tokens: count.nullable(),
    trained,
    steps: count,
    stoppedBy: z.enum(['end', 'update-cap', 'total-cap']),
    /** Past the total KL cap: further steps back to the initial simulator, and the KL before them, nats per token. */
    back: z.strictObject({ steps: count, from: z.number() }).optional(),
    effectiveSampleSize: z.number(),
    loss: z.number().nullable(),
    /** As the agent’s, over the same texts as the KLs; absent in what older versions and jobs wrote. */
    entropy: z.number().optional(),
    gradNorm: z.number().nullable(),
    kl: z.strictObject({
      /** This update, nats per token, ½ mean((p − p′)²) over every text of the epoch, rejected ones included. */
      update: z.number().nullable(),
      /** After the update against the initial simulator, nats per token, mean (p′/q)(p′ − b), over the same texts. */
      initial: z.number().nullable(),
    }),
    /** Of update `grpo`: groups of texts written after the same words, those of them that were rewarded alike, and texts. */
    compared: z.strictObject({ groups: count, alike: count, texts: count, invalid: count }).optional(),
    measured,
    published,
    job: jobSchema.optional(),
    seconds: z.number(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('environment.skipped'),
    reason: z.string(),
    familiesKept: count,
    families: count,
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('pools.grown'),
    ...poolSizes,
    domains: z.array(z.strictObject({ ...ofDomain, ...poolSizes })).optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('validated'),
    version: z.string(),
    successRate: successRateSchema,
    /** One character a task in order: `1` solved by most of its attempts, `-` unanswered or not judged. */
    outcomes: z.string(),
    /**
     * k and n of every task in the same order, where `validation.rollouts` asks for several attempts. Absent for one, and
     * in journals of older versions.
     */
    tries: z.array(z.tuple([count, count])).optional(),
    /** Attempts that ended at their limit of tokens, here and below. Absent in journals of older versions. */
    truncated: count.optional(),
    answerLength: z.number().nullable(),
    tokens: count,
    sampled,
    sent,
    seconds: z.number(),
    unanswered: unansweredSchema.optional(),
    /** Its tasks stand together in `outcomes` and `tries`, domain after domain. */
    domains: z
      .array(
        z.strictObject({
          ...ofDomain,
          ...{ tasks: count, successRate: successRateSchema, truncated: count.optional() },
          answerLength: z.number().nullable(),
        }),
      )
      .optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('evaluated'),
    version: z.string(),
    /** The adapter's name, and its scorer's. */
    benchmark: z.string(),
    rule: z.string(),
    /** SHA-256 of the tasks, their ids included, as they are posed and judged: hexadecimal. */
    digest: z.string(),
    tasks: count,
    /** n, requested attempts a task. */
    attempts: count,
    /** Number of tasks in the splits, where tasks are drawn from them. Absent in journals of older versions. */
    of: count.optional(),
    /** Whether the splits are complete and equal to the authors'. Absent in journals of older versions. */
    whole: z.boolean().optional(),
    /**
     * pass@1 and, for n > 1, pass@n: unanswered and unjudged attempts are wrong, as authors count. Without `judged` an
     * older version wrote it and left those out.
     */
    pass: z.array(passAtKSchema).min(1),
    /** Attempts that were answered and judged, and how many of these were right. */
    judged: z.strictObject({ attempts: count, successes: count }).optional(),
    /** Attempts that ended at their limit of tokens. Absent in journals of older versions. */
    truncated: count.optional(),
    /** One character a task in order, `1` solved by most of its attempts, `-` unanswered or not judged. */
    outcomes: z.string(),
    checkerErrors: count,
    answerLength: z.number().nullable(),
    tokens: count,
    sampled,
    sent,
    seconds: z.number(),
    unanswered: unansweredSchema.optional(),
  }),
  z.strictObject({ ...inEpoch, type: z.literal('cross.played'), ...crossPlaySchema.shape }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('epoch.finished'),
    summary: epochSummarySchema,
    slots: z.array(slotsSchema).optional(),
  }),
  z.strictObject({
    ...inEpoch,
    type: z.literal('settings.changed'),
    changes: z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    author: z.string(),
    /** SHA-256 of the files of a reward that was read anew, by path: its name may be the one it had before. */
    rewardFiles: z.record(z.string(), z.string()).optional(),
    /** The same of a curriculum. */
    curriculumFiles: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({
    ...head,
    type: z.literal('tasks.edited'),
    /** The first epoch in which the edits apply: a running one continues with its original tasks. */
    epoch: count,
    author: z.string(),
    edits: z.array(taskEditSchema).min(1),
  }),
  z.strictObject({
    ...head,
    type: z.literal('verdicts.rescored'),
    /** The epoch that was under way, else the last that had finished. */
    epoch: count,
    author: z.string(),
    /** Its folder within the run's `rescored/`. */
    rescoring: folderName,
    /** The file that judged, from the run's folder; SHA-256 of it and of everything that it imports. */
    reward: z.strictObject({ path: z.string(), files: z.record(z.string(), z.string()) }),
    /** First and last epoch of the attempts. */
    epochs: z.strictObject({ first: count, last: count }),
    attempts: count,
    /** Attempts that are solved, failed or not judged now and were something else; those that are not judged now. */
    flips: count,
    errors: count,
  }),
  z.strictObject({
    ...head,
    type: z.literal('rescoring.withdrawn'),
    epoch: count,
    author: z.string(),
    rescoring: folderName,
  }),
  z.strictObject({
    ...head,
    type: z.literal('run.finished'),
    reason: endingSchema,
    note: z.string(),
  }),
]);
/** One line of `journal.jsonl`. */
export type JournalEvent = z.infer<typeof eventSchema>;
export type EventOf<T extends JournalEvent['type']> = Extract<JournalEvent, { type: T }>;
export type FamilyScore = EventOf<'families.scored'>['families'][number];
