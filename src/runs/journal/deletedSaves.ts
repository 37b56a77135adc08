import type { SessionEvent } from './sessionEvent.ts';

/** Addresses of saves that a person deleted on their servers. */
export const deletedSaves = (sessions: readonly SessionEvent[]): ReadonlySet<string> =>
  new Set(sessions.flatMap((event) => (event.type === 'saves.deleted' ? event.handles : [])));
