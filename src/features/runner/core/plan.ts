/** Which waiting runs start now, and why the others do not: pure, so that a runner and its tests agree. */
import { longestWait } from '../../../shared/nextTry.ts';
import type { Wait } from '../contract.ts';
import { inTurn, isOpen, type Queue, type QueueEntry } from './queue.ts';

export interface Limits {
  /** Maximum number of concurrent runs. */
  atOnce: number;
  /** Runs at once that ask one address. */
  of(address: string): number;
}

export interface Plan {
  start: QueueEntry[];
  /** By run: why each of the others waits. */
  waiting: Map<string, Wait>;
}

/** @param now milliseconds @param held nothing may start */
export function planOf(queue: Queue, limits: Limits, now: number, held = false): Plan {
  const users = new Map<string, string[]>();
  const use = ({ name, addresses }: QueueEntry): void => {
    for (const address of addresses) users.set(address, [...(users.get(address) ?? []), name]);
  };
  const running = queue.filter(({ state }) => state === 'running');
  for (const entry of running) use(entry);
  // A study computes nothing by itself: its runs do.
  let room = limits.atOnce - running.filter(({ study }) => study === null).length;
  const plan: Plan = { start: [], waiting: new Map() };
  for (const entry of inTurn(queue)) {
    const wait = waitOf(entry, queue, now) ?? crowded(entry, users, limits);
    if (held) plan.waiting.set(entry.run, { kind: 'held' });
    else if (wait !== null) plan.waiting.set(entry.run, wait);
    else if (entry.study === null && room <= 0) plan.waiting.set(entry.run, { kind: 'room' });
    else {
      plan.start.push(entry);
      if (entry.study === null) room -= 1;
      use(entry);
    }
  }
  return plan;
}

const predecessors = ({ after }: QueueEntry, queue: Queue): Pick<QueueEntry, 'run' | 'name' | 'state'>[] =>
  after.map((run) => queue.find((entry) => entry.run === run) ?? { run, name: run, state: 'stopped' });

/** The runs that an entry waits for and that did not finish; null where there are none. */
export function lostBefore(entry: QueueEntry, queue: Queue): Wait | null {
  const lost = predecessors(entry, queue).filter(({ state }) => !['waiting', 'running', 'finished'].includes(state));
  return lost.length === 0 ? null : { kind: 'lost', runs: lost.map(({ name }) => name) };
}

/** Whether a moment is still to come. No wait is longer than the longest: of one that is, the clock was set back. */
const lies = (until: number, now: number): boolean => until > now && until - now <= longestWait;

/** Why the entry itself waits; null when its turn has come. */
function waitOf(entry: QueueEntry, queue: Queue, now: number): Wait | null {
  const { delayed } = entry;
  const states = predecessors(entry, queue);
  const lost = lostBefore(entry, queue);
  if (lost !== null) return lost;
  const open = states.filter(({ state }) => state !== 'finished');
  if (open.length > 0) return { kind: 'after', runs: open.map(({ name }) => name) };
  if (delayed !== null && (delayed.until === null || lies(delayed.until, now))) return { kind: 'delay', ...delayed };
  return null;
}

function crowded(
  { addresses }: QueueEntry,
  users: ReadonlyMap<string, readonly string[]>,
  limits: Limits,
): Wait | null {
  for (const address of addresses) {
    const runs = users.get(address) ?? [];
    if (runs.length >= limits.of(address)) return { kind: 'endpoint', address, runs: [...runs] };
  }
  return null;
}

/** When something that waits may start without anything else happening; null when nothing will. */
export function nextMoment(queue: Queue, now: number): number | null {
  const moments = queue.flatMap(({ state, delayed }) =>
    state === 'waiting' && delayed?.until != null && lies(delayed.until, now) ? [delayed.until] : [],
  );
  return moments.length === 0 ? null : moments.reduce((first, moment) => Math.min(first, moment));
}

/** Entries that wait for runs which did not finish, and those behind them: no runner starts them. */
export function lostIn(queue: Queue): QueueEntry[] {
  const waiting = queue.filter(({ state }) => state === 'waiting');
  const lost = new Set<string>();
  for (let before = -1; before < lost.size;) {
    before = lost.size;
    for (const entry of waiting) {
      if (lostBefore(entry, queue) !== null || entry.after.some((run) => lost.has(run))) lost.add(entry.run);
    }
  }
  return waiting.filter(({ run }) => lost.has(run));
}

/** Nothing runs, and nothing that waits will start by itself. */
export const isEmpty = (queue: Queue): boolean => queue.filter(isOpen).length === lostIn(queue).length;
