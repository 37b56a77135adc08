/** Times in which no process worked on a run, by its sessions: between the end of one and the start of the next. */
import type { Stretch } from '../../engine/epochTime.ts';
import type { SessionEvent } from './sessionEvent.ts';

const endings: ReadonlySet<SessionEvent['type']> = new Set(['paused', 'stopped', 'failed', 'interrupted', 'finished']);

/**
 * A killed session has no end event: the last journaled event stands in for it.
 * @param journaled times of the journal's events, milliseconds since the Unix epoch, in order
 */
export function standstills(sessions: readonly SessionEvent[], journaled: readonly number[]): Stretch[] {
  const found: Stretch[] = [];
  let before: SessionEvent | null = null;
  for (const session of sessions) {
    // The next session cuts a torn line and records that.
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
