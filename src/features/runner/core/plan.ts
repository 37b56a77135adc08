/** Which waiting runs start now, and why the others do not: pure, so that a runner and its tests agree. */
import type { Wait } from '../contract.ts';
import { inTurn, type Queue, type QueueEntry } from './queue.ts';

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

/** Why the entry itself waits; null when its turn has come. */
function waitOf({ after, delayed }: QueueEntry, queue: Queue, now: number): Wait | null {
  const states = after.map((run) => queue.find((entry) => entry.run === run) ?? { name: run, state: 'gone' });
  const lost = states.filter(({ state }) => !['waiting', 'running', 'finished'].includes(state));
  if (lost.length > 0) return { kind: 'lost', runs: lost.map(({ name }) => name) };
  const open = states.filter(({ state }) => state !== 'finished');
  if (open.length > 0) return { kind: 'after', runs: open.map(({ name }) => name) };
  if (delayed !== null && (delayed.until === null || delayed.until > now)) return { kind: 'delay', ...delayed };
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
    state === 'waiting' && delayed?.until != null && delayed.until > now ? [delayed.until] : [],
  );
  return moments.length === 0 ? null : moments.reduce((first, moment) => Math.min(first, moment));
}

/** Nothing runs, and nothing that waits will start by itself. */
export const isEmpty = (queue: Queue): boolean =>
  !queue.some(({ state }) => state === 'waiting' || state === 'running');
