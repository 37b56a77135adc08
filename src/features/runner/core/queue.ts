/** The queue as a fold over its journal: waiting entries in order, running ones, and recently ended ones. */
import { noTries, triesAfter, type Tries } from '../../../shared/nextTry.ts';
import type { Delay, Outcome, QueueEntryEvent, QueueEvent, Work } from '../contract.ts';

/** Why an entry was delayed, and until when; null: until its missing input arrives. */
interface Delayed {
  delay: Delay;
  why: string;
  until: number | null;
  lacks: string | null;
}

export interface QueueEntry extends Work, Tries {
  state: 'waiting' | 'running' | Outcome;
  /** Why it ended, in a sentence; '' while it has not, and where there is nothing to say. */
  why: string;
  delayed: Delayed | null;
  /** Milliseconds since the Unix epoch. */
  since: number;
}

/** The original request, in a form to repeat it. */
export function asWork(entry: QueueEntry): Work {
  const { run, name, addresses, priority, after, retries, author, study, copies, member, rest } = entry;
  return { run, name, addresses, priority, after, retries, author, study, copies, member, rest };
}

/** In the order in which they were put; `inTurn` has the one that they start in. */
export type Queue = readonly QueueEntry[];

export const isOpen = ({ state }: QueueEntry): boolean => state === 'waiting' || state === 'running';

/** Whether a study that waits was edited and put there again. */
export const renews = ({ copies }: Pick<Work, 'copies'>, there: QueueEntry): boolean =>
  there.state === 'waiting' && copies !== null && JSON.stringify(copies) !== JSON.stringify(there.copies);

/** The order in which waiting entries start: by priority, then as they stand. */
export const inTurn = (queue: Queue): QueueEntry[] =>
  queue.filter(({ state }) => state === 'waiting').toSorted((a, b) => b.priority - a.priority);

/** How many ended entries are kept. */
export const endedKept = 100;

/** The queue after an event. @param at when it happened, milliseconds */
export function queueAfter(queue: Queue, event: QueueEntryEvent, at: number): Queue {
  switch (event.type) {
    case 'opened':
    case 'closed':
    case 'held':
    case 'released':
    case 'refused':
      return queue;
    case 'added':
      return [...without(queue, event.work.run), fresh(event.work, at)];
    case 'removed':
      return without(queue, event.run);
    case 'moved':
      return moved(queue, event);
    case 'started':
      return changed(queue, event.run, { state: 'running', delayed: null, since: at });
    case 'returned':
      return changed(queue, event.run, { state: 'waiting', delayed: null, since: at });
    case 'delayed': {
      const { run, delay, why, until, epoch, lacks } = event;
      const before = queue.find((entry) => entry.run === run) ?? noTries;
      return changed(queue, run, {
        state: 'waiting',
        delayed: { delay, why, until, lacks },
        since: at,
        ...triesAfter(before, delay, epoch),
      });
    }
    case 'ended':
      return forgetting(changed(queue, event.run, { state: event.outcome, why: event.why, since: at, delayed: null }));
  }
}

export const queueOf = (events: readonly QueueEvent[]): Queue =>
  events.reduce<Queue>((queue, event) => queueAfter(queue, event, event.at), []);

/** As the next runner finds it: runs of one that was killed ended with it, and wait again. */
export const withoutRunner = (queue: Queue): Queue =>
  queue.map((entry) => (entry.state === 'running' ? { ...entry, state: 'waiting' } : entry));

/** Whether nothing more is to start, after these events. */
export const isHeldAfter = (events: readonly Pick<QueueEvent, 'type'>[]): boolean =>
  events.findLast(({ type }) => type === 'held' || type === 'released')?.type === 'held';

const fresh = (work: Work, at: number): QueueEntry => ({
  ...work,
  ...{ state: 'waiting', why: '', delayed: null, ...noTries, since: at },
});

const without = (queue: Queue, run: string): QueueEntry[] => queue.filter((entry) => entry.run !== run);

const changed = (queue: Queue, run: string, change: Partial<QueueEntry>): QueueEntry[] =>
  queue.map((entry) => (entry.run === run ? { ...entry, ...change } : entry));

function moved(queue: Queue, { run, before, priority }: Extract<QueueEntryEvent, { type: 'moved' }>): Queue {
  const entry = queue.find((one) => one.run === run);
  if (entry === undefined) return queue;
  const others = without(queue, run);
  const at = before === null ? -1 : others.findIndex((one) => one.run === before);
  return others.toSpliced(at === -1 ? others.length : at, 0, { ...entry, priority });
}

/** Without the oldest ended ones, but for those that others wait for. */
function forgetting(queue: Queue): Queue {
  const needed = new Set(queue.filter(isOpen).flatMap(({ after }) => after));
  const ended = queue.filter((entry) => !isOpen(entry) && !needed.has(entry.run));
  const old = new Set(ended.toSorted((a, b) => b.since - a.since).slice(endedKept));
  return old.size === 0 ? queue : queue.filter((entry) => !old.has(entry));
}
