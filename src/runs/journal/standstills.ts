/** When nobody carried a run on, by its sessions: between the end of one and the next. */
import type { Stretch } from '../../engine/epochTime.ts';
import type { SessionEvent } from './sessionEvent.ts';

const endings: ReadonlySet<SessionEvent['type']> = new Set(['paused', 'stopped', 'failed', 'interrupted', 'finished']);

/**
 * A session that was killed says nothing of its end: then the last event that the loop journaled stands for it.
 * @param journaled when the loop journaled events, milliseconds since the Unix epoch, in order
 */
export function standstills(sessions: readonly SessionEvent[], journaled: readonly number[]): Stretch[] {
  const found: Stretch[] = [];
  let before: SessionEvent | null = null;
  for (const session of sessions) {
    // What a crash left is cut, and told, by whoever goes on.
    if (session.type === 'recovered') continue;
    if (session.type === 'resumed' && before !== null) {
      const { at, type } = before;
      const lastSign = journaled.findLast((time) => time <= session.at) ?? at;
      found.push({ from: endings.has(type) ? at : Math.max(at, lastSign), to: session.at });
    }
    before = session;
  }
  return found;
}
