/** The phases at work within each epoch: its own, and those that sampled meanwhile for later epochs. Pure. */
import type { EpochRow } from './data.ts';
import type { EpochTimeline, TimelinePhase } from './timeline.ts';

export interface TimelineStretch {
  phase: TimelinePhase;
  /** The epoch that it was done for: this one or a later one. */
  of: number;
  /** Milliseconds since the start of the epoch, pauses left out. */
  from: number;
  to: number;
}

export interface TimelineEpoch {
  epoch: number;
  /** Milliseconds, pauses left out. */
  length: number;
  /** In the order of their beginning. */
  stretches: TimelineStretch[];
  /** Milliseconds left out. */
  paused: number;
}

/** Shares of the time; their sum is 1. */
interface TimelineShares {
  both: number;
  /** Sampling alone: updates waited for it. */
  sampling: number;
  /** Updates alone: sampling waited for them. */
  updating: number;
  neither: number;
}

/** Epochs that may be sampled beside an earlier one. */
const mostAhead = 16;

type Row = Pick<EpochRow, 'epoch' | 'timeline'>;

/** The finished epochs, in order. @param rows in order @param shown the places in `rows` from and to (not included) */
export function timelineEpochs(
  rows: readonly Row[],
  shown: readonly [number, number] = [0, rows.length],
): TimelineEpoch[] {
  return rows.slice(...shown).flatMap(({ epoch, timeline }, i) => {
    if (timeline?.to == null) return [];
    const { from: start, to: end } = timeline;
    const inEpoch = withoutPauses(timeline, end - start);
    const first = shown[0] + i;
    const stretches = rows.slice(first, first + 1 + mostAhead).flatMap((row): TimelineStretch[] => {
      const shift = (row.timeline?.from ?? 0) - start;
      return (row.timeline?.parts ?? []).flatMap(({ phase, from, to }) => {
        const own = { phase, of: row.epoch, from: inEpoch(from + shift), to: inEpoch(to + shift) };
        return own.to > own.from ? [own] : [];
      });
    });
    const length = inEpoch(end - start);
    stretches.sort((a, b) => a.from - b.from || a.of - b.of);
    return [{ epoch, length, stretches, paused: end - start - length }];
  });
}

/** The places of the epoch that is looked at and of those before it, as many as are drawn. */
export function timelineRange(rows: readonly Row[], looked: number | null, most: number): [number, number] {
  const done = rows.findLastIndex(({ epoch, timeline }) => timeline?.to != null && epoch <= (looked ?? Infinity)) + 1;
  const end = Math.max(done, most);
  return [end - most, end];
}

/** A moment of the epoch's clock as time at work, held within the epoch. */
function withoutPauses({ still }: EpochTimeline, whole: number): (at: number) => number {
  return (at) => {
    const held = Math.max(0, Math.min(whole, at));
    return still.reduce((left, { from, to }) => left - Math.max(0, Math.min(held, to) - from), held);
  };
}

const samples: ReadonlySet<TimelinePhase> = new Set(['generate', 'attempt', 'measure']);
const updates: ReadonlySet<TimelinePhase> = new Set(['agent', 'environment', 'agent-publish', 'environment-publish']);

/** Who waited for whom, over all of these epochs together; null where they took no time. */
export function timelineShares(epochs: readonly TimelineEpoch[]): TimelineShares | null {
  const total = { both: 0, sampling: 0, updating: 0, neither: 0 };
  for (const { length, stretches } of epochs) {
    const moments = [...new Set([0, length, ...stretches.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
    for (const [i, from] of moments.entries()) {
      const to = moments[i + 1];
      if (to === undefined) break;
      const now = stretches.filter((one) => one.from < to && one.to > from);
      const isSampling = now.some(({ phase }) => samples.has(phase));
      const isUpdating = now.some(({ phase }) => updates.has(phase));
      const kind = isSampling ? (isUpdating ? 'both' : 'sampling') : isUpdating ? 'updating' : 'neither';
      total[kind] += to - from;
    }
  }
  const all = total.both + total.sampling + total.updating + total.neither;
  if (all === 0) return null;
  const { both, sampling, updating, neither } = total;
  return { both: both / all, sampling: sampling / all, updating: updating / all, neither: neither / all };
}
