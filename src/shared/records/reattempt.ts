/**
 * `reattempts.jsonl`: attempts that users requested at one task, by the current agent; lines are never overwritten.
 * They are measurements: no pool contains them, and nothing is trained on them.
 */
import * as z from 'zod';
import { taskDraftSchema } from './task.ts';
import { traceSchema, type Trace } from './trace.ts';

export const reattemptVersion = 1;

/** Of one re-attempt: its events share it. */
const head = { v: z.literal(reattemptVersion), id: z.string() };

const rateSchema = z.strictObject({ successes: z.int().nonnegative(), attempts: z.int().nonnegative() });
/** Successes of the judged attempts: the counts of p̂. */
export type Rate = z.infer<typeof rateSchema>;

const sideSchema = z.enum(['before', 'after']);
/** `before`: at the task as it was recorded; `after`: as people left it. */
export type Side = z.infer<typeof sideSchema>;

/** Attempts that begin with the first turns of another. */
const forkSchema = z.strictObject({
  /** Id of the trace whose turns they begin with. */
  trace: z.string(),
  /** Number of the message in that trace, from 0: those before it are kept, and it too where the agent did not say it. */
  turn: z.int().nonnegative(),
  /** The text in place of that message; null where nothing was edited. */
  text: z.string().nullable(),
});

/** Those of a task that people edit. */
const textsSchema = taskDraftSchema.pick({ prompt: true, tools: true, evaluation: true, gold: true });

export const reattemptEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('begun'),
    /** Milliseconds since the Unix epoch. */
    at: z.number(),
    author: z.string(),
    task: z.string(),
    /** Policy version that attempts it. */
    version: z.string(),
    /** G, attempts a side. */
    group: z.int().positive(),
    temperature: z.number(),
    /** The task as people left it; null where nothing was edited: then only `after` is attempted. */
    edited: textsSchema.nullable(),
    /** Of a fork: the task as the forked attempt had it, edits included. Older versions wrote none. */
    attempted: textsSchema.optional(),
    /** Of the training attempts in the last epoch that has some; null where there are none. */
    recorded: rateSchema.nullable(),
    /** Only `after` is attempted then; `recorded` is of the attempts that the forked one belongs to. */
    fork: forkSchema.optional(),
  }),
  z.strictObject({ ...head, type: z.literal('trace'), side: sideSchema, trace: traceSchema }),
  z.strictObject({
    ...head,
    type: z.literal('ended'),
    at: z.number(),
    state: z.enum(['finished', 'stopped', 'failed']),
    /** Why it failed, for people. */
    message: z.string().nullable(),
  }),
]);
export type ReattemptEvent = z.infer<typeof reattemptEventSchema>;
type Begun = Extract<ReattemptEvent, { type: 'begun' }>;

/** One re-attempt, from its events. */
export interface Reattempt extends Begun {
  /** `running` also where its process died. */
  state: 'running' | 'finished' | 'stopped' | 'failed';
  message: string | null;
  traces: Readonly<Record<Side, readonly Trace[]>>;
}

/** Re-attempts in the order they were begun. */
export function foldReattempts(events: Iterable<ReattemptEvent>): Reattempt[] {
  const all = new Map<string, Reattempt>();
  for (const event of events) {
    const known = all.get(event.id);
    if (event.type === 'begun') {
      all.set(event.id, { ...event, state: 'running', message: null, traces: { before: [], after: [] } });
    } else if (known !== undefined) all.set(event.id, reattemptAfter(known, event));
  }
  return [...all.values()];
}

/** A re-attempt after one more event of it. */
export function reattemptAfter(known: Reattempt, event: Exclude<ReattemptEvent, { type: 'begun' }>): Reattempt {
  if (event.type === 'ended') return { ...known, state: event.state, message: event.message };
  const traces = { ...known.traces, [event.side]: [...known.traces[event.side], event.trace] };
  return { ...known, traces };
}

/** The id of a re-attempt's trace: `after.mi3k2x/base.17/r0`. */
export const reattemptTraceId = ({ id, task }: Pick<Reattempt, 'id' | 'task'>, side: Side, index: number): string =>
  `${side}.${id}/${task}/r${index}`;

/** The side of a re-attempt that a trace's id belongs to; null for one of a run's own traces. */
export function sideOfTrace(id: string): Side | null {
  return sideSchema.options.find((side) => id.startsWith(`${side}.`)) ?? null;
}

/** The texts that the attempts `after` had in place of the recorded ones; null where they had those. */
export const textsAfter = ({ edited, attempted }: Pick<Reattempt, 'edited' | 'attempted'>): Reattempt['edited'] =>
  edited ?? attempted ?? null;

/** Successes of those that the checker could judge. */
export function rateOfTraces(traces: readonly Pick<Trace, 'verdict'>[]): Rate {
  const judged = traces.filter(({ verdict }) => verdict.error === undefined);
  return { successes: judged.filter(({ verdict }) => verdict.success).length, attempts: judged.length };
}

/** k of n before and after: unedited, the recorded attempts are the baseline. */
export function ratesOf({ edited, recorded, traces }: Reattempt): Record<Side, Rate> {
  const before = edited === null ? (recorded ?? { successes: 0, attempts: 0 }) : rateOfTraces(traces.before);
  return { before, after: rateOfTraces(traces.after) };
}

/** Attempts that are there, and how many there will be. */
export function progressOf({ edited, group, traces }: Reattempt): { done: number; total: number } {
  return { done: traces.before.length + traces.after.length, total: group * (edited === null ? 1 : 2) };
}
