/** `notes.jsonl`: users' notes on turns of traces, one line each; lines are never overwritten. */
import * as z from 'zod';

export const noteVersion = 1;

const head = { v: z.literal(noteVersion), at: z.number(), author: z.string() };

export const noteEventSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...head,
    type: z.literal('written'),
    /** Of this note; the first of a thread names it. */
    id: z.string(),
    thread: z.string(),
    /** Id of the trace. */
    trace: z.string(),
    /** Message of the attempt, from 0. */
    turn: z.int().nonnegative(),
    text: z.string(),
  }),
  z.strictObject({ ...head, type: z.literal('edited'), id: z.string(), text: z.string() }),
  z.strictObject({ ...head, type: z.literal('deleted'), id: z.string() }),
  z.strictObject({ ...head, type: z.literal('resolved'), thread: z.string(), resolved: z.boolean() }),
]);
export type NoteEvent = z.infer<typeof noteEventSchema>;

type Unstamped<E> = E extends NoteEvent ? Omit<E, keyof typeof head> : never;
/** A note event before it says when and by whom. */
export type NoteEntry = Unstamped<NoteEvent>;

export interface Note {
  id: string;
  author: string;
  /** When it was written, in milliseconds since the epoch. */
  at: number;
  text: string;
  edited: boolean;
}

/** The notes on one turn, in the order written. */
export interface NoteThread {
  id: string;
  trace: string;
  turn: number;
  resolved: boolean;
  notes: readonly Note[];
}

/** Threads that have notes, from the events in the order written; an event about a note that is gone changes nothing. */
export function foldNotes(events: Iterable<NoteEvent>): NoteThread[] {
  const threads = new Map<string, NoteThread>();
  const threadOf = new Map<string, string>();
  const change = (id: string, next: (thread: NoteThread) => NoteThread): void => {
    const thread = threads.get(id);
    if (thread !== undefined) threads.set(id, next(thread));
  };
  for (const event of events) {
    switch (event.type) {
      case 'written': {
        const { id, thread, trace, turn, author, at, text } = event;
        const known = threads.get(thread) ?? { id: thread, trace, turn, resolved: false, notes: [] };
        threadOf.set(id, thread);
        threads.set(thread, { ...known, notes: [...known.notes, { id, author, at, text, edited: false }] });
        break;
      }
      case 'edited':
        change(threadOf.get(event.id) ?? '', (thread) => ({
          ...thread,
          notes: thread.notes.map((note) =>
            note.id === event.id ? { ...note, text: event.text, edited: true } : note,
          ),
        }));
        break;
      case 'deleted':
        change(threadOf.get(event.id) ?? '', (thread) => ({
          ...thread,
          notes: thread.notes.filter(({ id }) => id !== event.id),
        }));
        break;
      case 'resolved':
        change(event.thread, (thread) => ({ ...thread, resolved: event.resolved }));
    }
  }
  return [...threads.values()].filter(({ notes }) => notes.length > 0);
}
