/** A run's mailbox as ports of the loop: waiting changes, and a pause requested by another process. */
import type { Changes, Edits, Log } from '../engine/ports.ts';
import type { Inbox } from '../runs/journal/inbox.ts';
import { messageOf } from '../shared/messageOf.ts';
import { InTurn } from '../shared/inTurn.ts';

export function inboxChanges(inbox: Inbox): Changes {
  return {
    async waiting() {
      return (await inbox.waiting()).flatMap(({ id, request }) =>
        request.type === 'change' ? [{ id, author: request.author, changes: request.changes }] : [],
      );
    },
    async taken(id, fields) {
      const found = (await inbox.waiting()).find((one) => one.id === id);
      if (found?.request.type !== 'change') return;
      const left = found.request.changes.filter(({ field }) => !fields.includes(field));
      if (left.length === 0) await inbox.remove(id);
      else await inbox.replace(id, { ...found.request, changes: left });
    },
  };
}

export function inboxEdits(inbox: Inbox): Edits {
  return {
    async waiting() {
      return (await inbox.waiting()).flatMap(({ id, request }) =>
        request.type === 'edit' ? [{ id, author: request.author, edits: request.edits }] : [],
      );
    },
    taken: (id) => inbox.remove(id),
  };
}

/** Interval of checks for a pause request, short enough to feel immediate. */
const pollMs = 1000;

export interface PauseWatch {
  /** Aborted when a pause is requested. */
  signal: AbortSignal;
  /** Who requested it; null without a request. */
  author(): string | null;
  stop(): Promise<void>;
}

/** Requests to pause that wait now, by id. @throws RunError `unreadable` */
export async function pausesIn(inbox: Inbox): Promise<string[]> {
  return (await inbox.waiting()).flatMap(({ id, request }) => (request.type === 'pause' ? [id] : []));
}

/** @param left requests that waited before the writer had its lease: they are withdrawn, as resuming means continuing. Later ones are meant for it. */
export async function watchForPause(inbox: Inbox, log: Log, left: readonly string[]): Promise<PauseWatch> {
  for (const id of left) await inbox.remove(id);
  const controller = new AbortController();
  let author: string | null = null;
  const inTurn = new InTurn();
  const look = async (): Promise<void> => {
    try {
      const [first] = await takePauses(inbox);
      if (first === undefined) return;
      author = first;
      controller.abort();
    } catch (error) {
      log.warn(`The run's inbox cannot be read: ${messageOf(error)}`);
    }
  };
  const timer = setInterval(() => {
    void inTurn.run(look);
  }, pollMs);
  timer.unref();
  return {
    signal: controller.signal,
    author: () => author,
    async stop() {
      clearInterval(timer);
      await inTurn.ended();
    },
  };
}

/** Removes pause requests and returns their author. */
async function takePauses(inbox: Inbox): Promise<string[]> {
  const authors: string[] = [];
  for (const { id, request } of await inbox.waiting()) {
    if (request.type !== 'pause') continue;
    authors.push(request.author);
    await inbox.remove(id);
  }
  return authors;
}
