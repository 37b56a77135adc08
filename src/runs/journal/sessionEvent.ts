/**
 * `sessions.jsonl`: events on the machine's side of a run, one line each. Not part of the journal, because it says when
 * and where a run executed, never with which result.
 */
import * as z from 'zod';

export const sessionVersion = 1;

const head = { v: z.literal(sessionVersion), at: z.number(), host: z.string(), pid: z.int() };

export const sessionEventSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...head, type: z.literal('started') }),
  z.strictObject({ ...head, type: z.literal('resumed') }),
  z.strictObject({ ...head, type: z.literal('paused'), reason: z.string() }),
  z.strictObject({ ...head, type: z.literal('interrupted'), reason: z.string().optional() }),
  z.strictObject({ ...head, type: z.literal('stopped') }),
  z.strictObject({
    ...head,
    type: z.literal('failed'),
    reason: z.string(),
    /** The epoch for which its curriculum file gave no rewards, where that is why. */
    unrewarded: z.int().positive().optional(),
  }),
  /** A torn tail was cut from `file`: how many bytes, and how they began. */
  z.strictObject({
    ...head,
    type: z.literal('recovered'),
    file: z.string(),
    bytes: z.int().positive(),
    cut: z.string(),
  }),
  /** An endpoint had lost the run's state; the run continued by itself from its newest checkpoints. */
  z.strictObject({ ...head, type: z.literal('restored'), reason: z.string() }),
  z.strictObject({ ...head, type: z.literal('finished') }),
  /** A person deleted these saves of a finished run on their servers. */
  z.strictObject({ ...head, type: z.literal('saves.deleted'), handles: z.array(z.string()).min(1) }),
]);
export type SessionEvent = z.infer<typeof sessionEventSchema>;

type Unstamped<E> = E extends SessionEvent ? Omit<E, keyof typeof head> : never;
/** A session event before the writer says when, where and by whom. */
export type SessionEntry = Unstamped<SessionEvent>;
