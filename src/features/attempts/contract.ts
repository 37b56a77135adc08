/** Messages between the host and the page that lays a task's attempts side by side. */
import * as z from 'zod';
import { successRateSchema } from '../../shared/journal/scores.ts';
import { event, request } from '../../shared/rpc/contract.ts';
import { verdictWords } from '../../shared/records/verdict.ts';

const count = z.int().nonnegative();

/** One message of an attempt. */
const shownTurnSchema = z.strictObject({
  /** The speaker: `assistant`, `tool f3`. */
  speaker: z.string(),
  text: z.string(),
  /** The agent's last message. */
  final: z.boolean(),
});

const shownAttemptSchema = z.strictObject({
  /** Id of the trace. */
  id: z.string(),
  /** Its last part: `r3`. */
  name: z.string(),
  verdict: z.enum(verdictWords),
  /** The note of the scorer, or of a checker that failed. */
  note: z.string().nullable(),
  reward: z.number(),
  /** Another reward's verdict; null where none was applied. */
  rescored: z.strictObject({ verdict: z.enum(verdictWords), reward: z.number(), by: z.string() }).nullable(),
  parts: z.record(z.string(), z.number()),
  /** Null where no update of the agent learned from it. */
  advantage: z.number().nullable(),
  /** Why it has no advantage, as a sentence; null where it has one, and for people's attempts. */
  without: z.string().nullable(),
  tokens: count.nullable(),
  /** Mean −logprob of its tokens in nats; null where logprobs are not recorded. */
  surprise: z.number().nullable(),
  stopReason: z.enum(['stop', 'length', 'turns']),
  turns: z.array(shownTurnSchema),
  /** Other conversations of a program. */
  branches: z.array(
    z.strictObject({
      /** The turn that it follows, from 0; null where it begins anew. */
      follows: count.nullable(),
      turns: z.array(shownTurnSchema),
    }),
  ),
});
/** One attempt, a column of the page. */
export type ShownAttempt = z.infer<typeof shownAttemptSchema>;

const shownTaskSchema = z.strictObject({
  /** Folder of the run. */
  run: z.string(),
  runName: z.string(),
  task: z.string(),
  plan: z.string(),
  epoch: count,
  /** Every epoch in which it was attempted, in ascending order. */
  epochs: z.array(count),
  gold: z.string().nullable(),
  /** Of the attempts that were judged. */
  successRate: successRateSchema,
  /** The same under the verdicts that override the recorded ones; null for none. */
  rescored: successRateSchema.nullable(),
  attempts: z.array(shownAttemptSchema),
});
/** A task and its attempts in one epoch. */
export type ShownTask = z.infer<typeof shownTaskSchema>;

/** Attempts that are not recorded yet. */
const underWaySchema = z.strictObject({
  attempts: count,
  /** The first of them: how many turns each has, and the newest of these. */
  first: z.array(z.strictObject({ name: z.string(), said: count, turns: z.array(shownTurnSchema) })),
  /** The epoch is under way in a process that cannot be asked for them. */
  elsewhere: z.boolean(),
});
export type ShownUnderWay = z.infer<typeof underWaySchema>;

/** The page's saved state; the host restores it after a reload. */
export const keptAttemptsSchema = z.looseObject({ run: z.string(), task: z.string(), epoch: count });

/** Host to page: everything, when the page is there and whenever an attempt came. */
export const shown = event('shown', shownTaskSchema);
/** Host to page: attempts at the task that are under way, whenever they are others or say more. */
export const underWay = event('underWay', underWaySchema);
/** Page to host: opens one attempt as a document. */
export const openTrace = request('openTrace', z.strictObject({ trace: z.string() }), z.null());
/** Page to host: opens the task. */
export const openTask = request('openTask', z.null(), z.null());
/** Page to host: the second attempt against the first, in the diff editor. */
export const difference = request('difference', z.strictObject({ first: z.string(), second: z.string() }), z.null());
/** Page to host: the attempts of another epoch. */
export const showEpoch = request('showEpoch', z.strictObject({ epoch: count }), z.null());
