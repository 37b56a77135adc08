/**
 * Files and messages between the runner of a runs folder, its children and observers: the queue's journal, requests,
 * the state of running runs. None contains a key.
 */
import * as z from 'zod';
import { silenceSchema } from '../../shared/rpc/silence.ts';
import { foundFolder } from '../../shared/records/folderName.ts';
import { saidSoFarSchema } from '../../shared/records/saidSoFar.ts';
import { keyReferencePattern } from '../../shared/experiment/endpoints/keyField.ts';

export const queueVersion = 1;

/** Default number of further starts of a run after a crash or a failure. */
export const defaultRetries = 2;

/** Of a queue's entry: higher ones start first. */
export const prioritySchema = z.int().min(-100).max(100);

/** Of a study's round: a run pauses at the end of the epoch in which it has spent so much. */
export const restSchema = z.strictObject({
  kind: z.enum(['rollouts', 'tokens', 'updates', 'seconds']),
  amount: z.number(),
});
export type Rest = z.infer<typeof restSchema>;

/**
 * A study as it was put into the queue: what a person edits afterwards changes nothing of it. Its file, its base, and
 * SHA-256 of the files that these name, by field and name.
 */
const copiesSchema = z.strictObject({
  study: z.string(),
  base: z.string(),
  inputs: z.record(z.string(), z.string()),
});

/** Work requested from the queue: an existing run that waits, or a study. */
const workSchema = z.strictObject({
  run: foundFolder,
  /** As lists show it. */
  name: z.string(),
  /** Servers that it asks, by origin; `embedded` is this machine's own models. */
  addresses: z.array(z.string()),
  priority: prioritySchema,
  /** Runs that must have finished before it starts. */
  after: z.array(foundFolder),
  retries: z.int().min(0).max(100),
  /** Its author. */
  author: z.string(),
  /** A study's file: its entry represents no run, but queues the study's runs and waits for them. */
  study: z.string().nullable().default(null),
  /** Of a study. Null in queues of older versions: it is read when its turn comes. */
  copies: copiesSchema.nullable().default(null),
  /** Of a study's run: the study's entry. */
  member: foundFolder.nullable().default(null),
  rest: restSchema.nullable().default(null),
});
export type Work = z.infer<typeof workSchema>;

/** How an entry ended; it stays in the list for a while. */
const outcomeSchema = z.enum(['finished', 'paused', 'stopped', 'failed']);
export type Outcome = z.infer<typeof outcomeSchema>;

/**
 * Why a run waits although its turn has come: a server is away, a key is missing, the disk is full, another process
 * writes it, or it is tried again after a failure.
 */
const delaySchema = z.enum(['server', 'key', 'disk', 'busy', 'failure']);
export type Delay = z.infer<typeof delaySchema>;

/** For a run without its key: the key's name, or the address that is not allowed. Null for every other reason. */
const lacksSchema = z.string().nullable().default(null);

const eventHead = { v: z.literal(queueVersion), at: z.number() };
const about = { ...eventHead, run: foundFolder };

/** A line of `queue.jsonl`. */
export const queueEventSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...eventHead, type: z.literal('opened'), host: z.string(), pid: z.int() }),
  z.strictObject({ ...eventHead, type: z.literal('closed'), why: z.enum(['asked', 'empty']) }),
  z.strictObject({ ...eventHead, type: z.literal('added'), work: workSchema }),
  /** Now stands before another one, or last where that is null, with its priority. */
  z.strictObject({ ...about, type: z.literal('moved'), before: foundFolder.nullable(), priority: prioritySchema }),
  z.strictObject({ ...about, type: z.literal('removed'), author: z.string() }),
  z.strictObject({ ...about, type: z.literal('started') }),
  /** It waits again because its runner ended, not by a fault of its own. */
  z.strictObject({ ...about, type: z.literal('returned') }),
  /** It waits again, until a time or (null) until its missing input arrives. `epoch`: number of finished epochs. */
  z.strictObject({
    ...{ ...about, type: z.literal('delayed'), delay: delaySchema, why: z.string() },
    ...{ until: z.number().nullable(), epoch: z.int().nonnegative(), lacks: lacksSchema },
  }),
  z.strictObject({ ...about, type: z.literal('ended'), outcome: outcomeSchema, why: z.string() }),
  /** No further starts until `released`; running runs continue. */
  z.strictObject({ ...eventHead, type: z.literal('held'), author: z.string() }),
  z.strictObject({ ...eventHead, type: z.literal('released'), author: z.string() }),
  /** A request that could not be carried out. */
  z.strictObject({ ...eventHead, type: z.literal('refused'), run: foundFolder.nullable(), why: z.string() }),
]);
export type QueueEvent = z.infer<typeof queueEventSchema>;
type Unstamped<E> = E extends unknown ? Omit<E, 'v' | 'at'> : never;
/** An event before the runner says when. */
export type QueueEntryEvent = Unstamped<QueueEvent>;

export const directions = ['up', 'down', 'first', 'last'] as const;
export type Direction = (typeof directions)[number];

const requestHead = { ...eventHead, author: z.string() };
/** A file of the queue's inbox: anyone may leave one, the runner takes it. */
export const runnerRequestSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...requestHead, type: z.literal('add'), work: z.array(workSchema).min(1) }),
  /** Leaves the queue, a study with its runs: what waits at once, what runs once it has paused. */
  z.strictObject({ ...requestHead, type: z.literal('remove'), run: foundFolder }),
  /** Delayed entries are tried now; entries that ended without finishing wait again. */
  z.strictObject({ ...requestHead, type: z.literal('retry'), run: foundFolder }),
  z.strictObject({ ...requestHead, type: z.literal('prioritise'), run: foundFolder, priority: prioritySchema }),
  z.strictObject({ ...requestHead, type: z.literal('move'), run: foundFolder, to: z.enum(directions) }),
  /** As `remove`, for what runs: at once; at a phase boundary a run's own inbox does. Of what has ended, nothing is removed. */
  z.strictObject({ ...requestHead, type: z.literal('pause'), run: foundFolder }),
  /** Stop and resume starting entries. */
  z.strictObject({ ...requestHead, type: z.literal('hold') }),
  z.strictObject({ ...requestHead, type: z.literal('release') }),
  /** Ends the runner: running entries wait again. */
  z.strictObject({ ...requestHead, type: z.literal('stop') }),
]);
export type RunnerRequest = z.infer<typeof runnerRequestSchema>;

const phaseSchema = z.object({
  ...{ phase: z.string(), epoch: z.number(), done: z.number(), total: z.number(), tokens: z.number() },
  successes: z.number().optional(),
  job: z.enum(['queued', 'running']).optional(),
});

/** Where a running run is. */
const placeSchema = z.object({
  epoch: z.int().nonnegative(),
  /** The epoch under way, else the last finished one; older runners and studies leave it out. */
  current: z.int().nonnegative().optional(),
  epochs: z.int().nonnegative(),
  /** When the epoch under way began, or was taken up again; milliseconds since the Unix epoch. */
  epochSince: z.number(),
  /** Null before an epoch has been timed. */
  secondsLeft: z.number().nullable(),
  phases: z.array(phaseSchema),
  pausing: z.boolean(),
  /** The load of its servers from its requests. */
  loads: z.array(
    z.object({
      urls: z.array(z.string()),
      load: z.object({ inFlight: z.number(), waiting: z.number(), room: z.number() }),
    }),
  ),
  /** Its servers that answer nothing; older runners leave it out. */
  silences: z.array(silenceSchema).optional(),
});
export type Place = z.infer<typeof placeSchema>;

/** Why a waiting entry does not start now. */
const waitSchema = z.discriminatedUnion('kind', [
  /** As many runs as may ask this address do. */
  z.object({ kind: z.literal('endpoint'), address: z.string(), runs: z.array(z.string()) }),
  /** These runs have to finish first. */
  z.object({ kind: z.literal('after'), runs: z.array(z.string()) }),
  /** These had to finish first, and did not. */
  z.object({ kind: z.literal('lost'), runs: z.array(z.string()) }),
  z.object({
    ...{ kind: z.literal('delay'), delay: delaySchema, why: z.string(), until: z.number().nullable() },
    lacks: lacksSchema,
  }),
  /** The queue is paused. */
  z.object({ kind: z.literal('held') }),
  /** As many runs as the runner may run do. */
  z.object({ kind: z.literal('room') }),
  /** It starts at once. */
  z.object({ kind: z.literal('turn') }),
]);
export type Wait = z.infer<typeof waitSchema>;

/**
 * `live.json`: the runner's state beyond its journal; replaced about twice a second while runs execute, never appended
 * to.
 */
export const liveSchema = z.object({
  v: z.literal(queueVersion),
  pid: z.int(),
  held: z.boolean(),
  running: z.record(z.string(), placeSchema),
  waiting: z.record(z.string(), waitSchema),
});
export type Live = z.infer<typeof liveSchema>;

/** From a child, over its channel. */
export const childSaysSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('live'), place: placeSchema }),
  /** The answer to a question of the same number. */
  z.object({ type: z.literal('said'), question: z.int(), said: saidSoFarSchema }),
  z.object({
    type: z.literal('landed'),
    /** `interrupted`: the runner asked. The others as delays and outcomes are. */
    how: z.enum(['finished', 'paused', 'stopped', 'interrupted', 'failed', 'server', 'key', 'disk', 'busy', 'gone']),
    why: z.string(),
    epoch: z.int().nonnegative(),
  }),
]);
export type ChildSays = z.infer<typeof childSaysSchema>;
export type Landed = Extract<ChildSays, { type: 'landed' }>;

/**
 * A user's consent for a runner: a key's value for one origin, or (`key` null) requests without a key. In memory only.
 */
const grantSchema = z.strictObject({
  /** As an experiment names it. */
  key: z.string().regex(keyReferencePattern).nullable(),
  origin: z.string().min(1),
  value: z.string(),
});
export type Grant = z.infer<typeof grantSchema>;

export const grantsSchema = z.array(grantSchema);

const taskName = z.string().min(1).max(1_000);

/**
 * A message through the pipe to a runner, a line of JSON: keys, or the question what was said so far in the attempts at
 * a task that are not recorded yet. Nothing of them is sent, or put together, for anyone who does not ask.
 */
export const pipeRequestSchema = z.union([
  grantsSchema,
  z.strictObject({ type: z.literal('said'), run: foundFolder, task: taskName }),
]);

/** To a child. `keys` comes first. */
export const childHearsSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('keys'), grants: grantsSchema }),
  z.strictObject({ type: z.enum(['pause', 'interrupt']) }),
  z.strictObject({ type: z.literal('said'), question: z.int(), task: taskName }),
]);
export type ChildHears = z.infer<typeof childHearsSchema>;
