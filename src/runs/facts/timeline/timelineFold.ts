/**
 * When each phase of an epoch was at work, from the journal alone. Most events say how long their phase took and end with
 * it. Scoring says nothing: it lasts from the event before to its own. The last update of the agent and that of the
 * environment begin together and are journaled once both are done, so the shorter one is placed at the common start.
 */
import { stretchOf, type Stretch } from '../../../engine/epochTime.ts';
import type { JournalEvent } from '../../../shared/journal/events.ts';
import type { EpochTimeline, TimelinePart, TimelinePhase } from '../../../shared/report/timeline.ts';
import { standingStill } from './standingStill.ts';

const phases: Partial<Record<JournalEvent['type'], TimelinePhase>> = {
  'tasks.generated': 'generate',
  'rollouts.finished': 'attempt',
  'agent.updated': 'agent',
  'environment.updated': 'environment',
  validated: 'measure',
  evaluated: 'measure',
  'cross.played': 'measure',
};

interface Open {
  epoch: number;
  from: number;
  parts: TimelinePart[];
  /** Of scoring: the event before it, and its own. */
  scored: Stretch | null;
  /** Time of the newest event. */
  last: number;
}

/** Two updates of which one begins this long before the other ends ran beside each other. Milliseconds. */
const together = 5;

export class TimelineFold {
  #open: Open | null = null;

  /**
   * Takes events in order.
   * @param worked seconds on the clock of the epoch that finished last, pauses left out
   * @returns the timeline of the epoch under way with this event; null outside of epochs
   */
  add(event: JournalEvent, worked: number): { epoch: number; timeline: EpochTimeline } | null {
    if (event.type === 'epoch.started') {
      this.#open = { epoch: event.epoch, from: event.at, parts: [], scored: null, last: event.at };
      return { epoch: event.epoch, timeline: timelineOf(this.#open, null, []) };
    }
    const open = this.#open;
    if (open === null) return null;
    if (event.type === 'families.scored') open.scored = { from: open.last, to: event.at };
    else this.#addPart(open, event);
    open.last = event.at;
    const { epoch } = open;
    if (event.type !== 'epoch.finished') return { epoch, timeline: timelineOf(open, null, []) };
    this.#open = null;
    const still = standingStill(
      open.parts.map(({ from, to }) => ({ from: open.from + from, to: open.from + to })),
      { from: open.from, to: event.at },
      event.at - open.from - 1000 * worked,
    );
    return { epoch, timeline: timelineOf(open, event.at, still) };
  }

  #addPart(open: Open, event: JournalEvent): void {
    const phase = phases[event.type];
    const stretch = 'seconds' in event ? stretchOf(event) : null;
    if (phase === undefined || stretch === null) return;
    const part = { phase, from: Math.round(stretch.from - open.from), to: Math.round(stretch.to - open.from) };
    const place = open.parts.findLastIndex((one) => one.phase !== 'agent-publish');
    const agent = open.parts[place];
    if (
      phase === 'environment' &&
      open.scored !== null &&
      agent?.phase === 'agent' &&
      part.from < agent.to - together
    ) {
      const from = Math.min(part.from, agent.from);
      open.parts[place] = { ...agent, from, to: from + agent.to - agent.from };
      open.parts.push({ ...part, from, to: from + part.to - part.from });
    } else open.parts.push(part);
    if (event.type !== 'agent.updated' && event.type !== 'environment.updated') return;
    const publishing = `${event.type === 'agent.updated' ? 'agent' : 'environment'}-publish` as const;
    for (const { at, seconds } of event.published ?? []) {
      const [from, to] = [at - 1000 * seconds - open.from, at - open.from];
      open.parts.push({ phase: publishing, from: Math.round(from), to: Math.round(to) });
    }
  }
}

function timelineOf({ from, parts, scored }: Open, to: number | null, still: readonly Stretch[]): EpochTimeline {
  const since = ({ from: a, to: b }: Stretch): Stretch => ({ from: Math.round(a - from), to: Math.round(b - from) });
  // A pause before scoring is no scoring.
  const pause = scored === null ? undefined : still.findLast((one) => one.to <= scored.to && one.to > scored.from);
  return {
    ...{ from, to },
    parts: [
      ...parts,
      ...(scored === null
        ? []
        : [{ phase: 'score' as const, ...since({ from: pause?.to ?? scored.from, to: scored.to }) }]),
    ],
    still: still.map(since),
  };
}
