/** A run's mailbox as ports of the loop: waiting changes, and a pause requested by another process. */
import type { Changes, Edits, Log } from '../engine/ports.ts';
import type { Inbox } from '../runs/journal/inbox.ts';
import { messageOf } from '../shared/messageOf.ts';

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

/** Requests from before the resumption are withdrawn: resuming means continuing. */
export async function watchForPause(inbox: Inbox, log: Log): Promise<PauseWatch> {
  await takePauses(inbox);
  const controller = new AbortController();
  let author: string | null = null;
  let looking = Promise.resolve();
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
    looking = looking.then(look);
  }, pollMs);
  timer.unref();
  return {
    signal: controller.signal,
    author: () => author,
    async stop() {
      clearInterval(timer);
      await looking;
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
