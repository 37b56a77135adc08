/**
 * `plays.jsonl`: attempts at a run's tasks that people made themselves, turn by turn; lines are never overwritten. A pool
 * contains one only where someone asked (`admit` of `taskEdit.ts`), and nothing is trained on them.
 */
import * as z from 'zod';
import { taskDraftSchema } from './task.ts';
import { traceSchema, type Trace } from './trace.ts';

export const playVersion = 1;

/** Of one attempt: its events share it. */
const head = { v: z.literal(playVersion), id: z.string() };

export const playEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('begun'),
    /** Milliseconds since the Unix epoch. */
    at: z.number(),
    author: z.string(),
    task: z.string(),
    /** The task as people left it; null where nothing was edited. */
    edited: taskDraftSchema.pick({ prompt: true, tools: true, evaluation: true, gold: true }).nullable(),
  }),
  /** A turn as it was sent: on disk before the tools answer it. */
  z.strictObject({ ...head, type: z.literal('turn'), at: z.number(), text: z.string() }),
  /** A turn that was being written when the person left; '' for none. */
  z.strictObject({ ...head, type: z.literal('draft'), text: z.string() }),
  z.strictObject({ ...head, type: z.literal('ended'), at: z.number(), trace: traceSchema }),
]);
export type PlayEvent = z.infer<typeof playEventSchema>;
type Begun = Extract<PlayEvent, { type: 'begun' }>;

/** One attempt of a person, from its events. */
export interface Play extends Begun {
  turns: readonly string[];
  draft: string;
  /** Null until it is judged: it can be continued. */
  trace: Trace | null;
}

/** In the order they were begun. What follows an end, written by a second process, changes nothing. */
export function foldPlays(events: Iterable<PlayEvent>): Play[] {
  const all = new Map<string, Play>();
  for (const event of events) {
    const known = all.get(event.id);
    if (event.type === 'begun') all.set(event.id, begunPlay(event));
    else if (known?.trace === null) all.set(event.id, playAfter(known, event));
  }
  return [...all.values()];
}

export const begunPlay = (begun: Begun): Play => ({ ...begun, turns: [], draft: '', trace: null });

/** An attempt after one more event of it. */
export function playAfter(known: Play, event: Exclude<PlayEvent, { type: 'begun' }>): Play {
  switch (event.type) {
    case 'turn':
      return { ...known, turns: [...known.turns, event.text], draft: '' };
    case 'draft':
      return { ...known, draft: event.text };
    case 'ended':
      return { ...known, draft: '', trace: event.trace };
  }
}

/** The id of its trace: `person.mi3k2x/base.17/r0`. */
export const playTraceId = ({ id, task }: Pick<Play, 'id' | 'task'>): string => `person.${id}/${task}/r0`;

export const isPlayTrace = (id: string): boolean => id.startsWith('person.');

/** The `version` of a person's traces. */
export const personVersion = (author: string): string => `person:${author}`;

/** Who made an attempt; null where a policy did. */
export const personOf = (version: string): string | null =>
  version.startsWith('person:') ? version.slice('person:'.length) : null;
