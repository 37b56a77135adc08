/** The effect of a request on a queue: the events that the runner journals, and that a list shows in advance. */
import * as l10n from '@vscode/l10n';
import type { Direction, QueueEntryEvent, RunnerRequest, Work } from '../contract.ts';
import { asWork, inTurn, isOpen, queueAfter, renews, type Queue, type QueueEntry } from './queue.ts';

/** Requests about the queue's entries; the others are for the runner itself. */
export type QueueRequest = Extract<
  RunnerRequest,
  { type: 'add' | 'remove' | 'pause' | 'retry' | 'prioritise' | 'move' }
>;
/** To leave the queue: what waits is taken out, what runs is paused; of a study, its runs too. */
type Leave = Extract<QueueRequest, { type: 'remove' | 'pause' }>;

export const isQueueRequest = (request: RunnerRequest): request is QueueRequest =>
  ['add', 'remove', 'pause', 'retry', 'prioritise', 'move'].includes(request.type);

/** The running entries that a request ends, a study before its runs. */
export function endedBy(queue: Queue, request: QueueRequest): string[] {
  if (request.type !== 'remove' && request.type !== 'pause') return [];
  return concerned(queue, request.run).flatMap(({ run, state }) => (state === 'running' ? [run] : []));
}

export function answer(queue: Queue, request: QueueRequest): QueueEntryEvent[] {
  if (request.type === 'add') return addAll(queue, request.work, request.at);
  const { run } = request;
  const entry = queue.find((one) => one.run === run);
  if (entry === undefined) return [refused(run, l10n.t('It is not in the queue.'))];
  if (request.type === 'remove' || request.type === 'pause') return left(queue, entry, request);
  if (request.type === 'retry') return [again(entry)];
  if (entry.state !== 'waiting') return [refused(run, l10n.t('Only what waits has a place in the queue.'))];
  if (request.type === 'move') return movedTo(queue, run, request.to);
  return [{ type: 'moved', run, before: following(queue, run), priority: request.priority }];
}

/** An entry and, of a study, its open runs. */
const concerned = (queue: Queue, run: string): QueueEntry[] => [
  ...queue.filter((one) => one.run === run),
  ...queue.filter((one) => one.member === run && isOpen(one)),
];

/** In one step, so that no run of a study starts in the place of one that was paused. Running ones end by themselves. */
function left(queue: Queue, entry: QueueEntry, { type, run, author }: Leave): QueueEntryEvent[] {
  const all = concerned(queue, run);
  if (type === 'pause' && !all.some(isOpen)) return [refused(run, l10n.t('It is not in the queue.'))];
  const leaving = all.filter((one) => one.state === 'waiting' || (one === entry && type === 'remove' && !isOpen(one)));
  return leaving.map((one) => ({ type: 'removed', run: one.run, author }));
}

function again(entry: QueueEntry): QueueEntryEvent {
  const { run } = entry;
  if (entry.state === 'waiting') return { type: 'returned', run };
  if (entry.state === 'running') return refused(run, l10n.t('It is running.'));
  if (entry.state === 'finished') return refused(run, l10n.t('It is finished.'));
  return { type: 'added', work: asWork(entry) };
}

/** The queue after a runner has taken the pending requests. */
export function withRequests(queue: Queue, requests: readonly QueueRequest[]): Queue {
  let after = queue;
  for (const request of requests) {
    for (const event of answer(after, request)) after = queueAfter(after, event, request.at);
  }
  return after;
}

function addAll(queue: Queue, work: readonly Work[], at: number): QueueEntryEvent[] {
  const events: QueueEntryEvent[] = [];
  let after = queue;
  for (const one of work) {
    const event = added(after, one);
    events.push(event);
    after = queueAfter(after, event, at);
  }
  return events;
}

function added(queue: Queue, work: Work): QueueEntryEvent {
  const there = queue.find(({ run }) => run === work.run);
  if (there !== undefined && isOpen(there) && !renews(work, there))
    return refused(work.run, l10n.t('It is in the queue already.'));
  const study = queue.find(({ run }) => run === work.member);
  if (work.member !== null && (study === undefined || !isOpen(study))) {
    return refused(work.run, l10n.t('Its study is not in the queue.'));
  }
  const lost = work.after.find((run) => !queue.some((entry) => entry.run === run));
  if (lost !== undefined) return refused(work.run, l10n.t('It should wait for {0}, which is not in the queue.', lost));
  if (waitsFor(queue, work.after, work.run)) {
    return refused(work.run, l10n.t('It would wait for a run that waits for it: no one of them could start.'));
  }
  return { type: 'added', work };
}

function waitsFor(queue: Queue, after: readonly string[], wanted: string): boolean {
  const seen = new Set<string>();
  const next = [...after];
  for (let run = next.pop(); run !== undefined; run = next.pop()) {
    if (run === wanted) return true;
    if (seen.has(run)) continue;
    seen.add(run);
    for (const further of queue.find((entry) => entry.run === run)?.after ?? []) next.push(further);
  }
  return false;
}

/** Past another priority it takes that: otherwise the move would change nothing. */
function movedTo(queue: Queue, run: string, to: Direction): QueueEntryEvent[] {
  const turn = inTurn(queue);
  const from = turn.findIndex((entry) => entry.run === run);
  const others = turn.toSpliced(from, 1);
  const at = Math.max(0, Math.min(others.length, { up: from - 1, down: from + 1, first: 0, last: others.length }[to]));
  if (at === from) return [];
  const [above, below] = [others[at - 1], others[at]];
  const own = turn[from]?.priority ?? 0;
  const priority = Math.max(below?.priority ?? -Infinity, Math.min(above?.priority ?? Infinity, own));
  // Entries of one priority start in the queue's order.
  const before = above?.priority === priority ? following(without(queue, run), above.run) : (below?.run ?? null);
  return [{ type: 'moved', run, before, priority }];
}

const without = (queue: Queue, run: string): Queue => queue.filter((entry) => entry.run !== run);

/** The entry behind one in the queue's own order: before that it keeps its place. */
function following(queue: Queue, run: string): string | null {
  const at = queue.findIndex((entry) => entry.run === run);
  return queue[at + 1]?.run ?? null;
}

const refused = (run: string | null, why: string): QueueEntryEvent => ({ type: 'refused', run, why });
