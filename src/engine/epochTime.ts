/** How long an epoch took on the clock. Phases may run side by side, so the sum of theirs says something else. */
import type { EventOf } from '../shared/journal/events.ts';

/** From and to, in milliseconds since the Unix epoch. */
export interface Stretch {
  from: number;
  to: number;
}

/** An event of a phase with the phase's duration. */
interface TimedEvent {
  at: number;
  /** Absent where nothing was done. */
  seconds?: number;
  /** Where it ended before its event was written. */
  ended?: { at: number } | undefined;
}

/** Seconds between two moments, without the time in which no process worked on the run. */
export function secondsWorked({ from, to }: Stretch, stoodStill: readonly Stretch[]): number {
  const still = stoodStill.map((one) => ({ from: Math.max(from, one.from), to: Math.min(to, one.to) }));
  return Math.max(0, to - from - covered(still)) / 1000;
}

/** Seconds from a moment on in which at least one of the phases was at work. */
export function secondsInPhases(phases: readonly (TimedEvent | undefined)[], since = -Infinity): number {
  const inside = phases.flatMap((phase) => {
    const stretch = stretchOf(phase);
    return stretch === null ? [] : [{ from: Math.max(since, stretch.from), to: Math.max(since, stretch.to) }];
  });
  return covered(inside) / 1000;
}

/** Reads and writes between two phases take less than this; a longer gap was a pause. Milliseconds. */
const longestBetween = 5000;

/**
 * Seconds that a finished epoch took on the clock, pauses left out. Older versions recorded the sum over the phases,
 * which counts concurrent phases twice; for theirs the clock time is used, without long gaps between phases.
 * @param from start of the epoch, milliseconds since the Unix epoch
 * @param phases its events before its end
 */
export function epochSeconds(
  { at, summary }: Pick<EventOf<'epoch.finished'>, 'at' | 'summary'>,
  from: number,
  phases: readonly (TimedEvent | undefined)[],
): number {
  const sum = phases.reduce((all, phase) => all + (phase?.seconds ?? 0), 0);
  if (Math.abs(summary.seconds - sum) > 1e-6) return summary.seconds;
  let [total, end] = [0, from];
  const stretches = phases.flatMap((phase) => stretchOf(phase) ?? []).sort((a, b) => a.from - b.from);
  for (const { from: next, to } of [...stretches, { from: at, to: at }]) {
    const between = next - end;
    if (between > 0 && between <= longestBetween) total += between;
    total += Math.max(0, to - Math.max(next, end));
    end = Math.max(end, to);
  }
  return total / 1000;
}

/** When a phase was at work; null for one without a duration. */
export function stretchOf(phase: TimedEvent | undefined): Stretch | null {
  if (phase?.seconds === undefined) return null;
  const to = phase.ended?.at ?? phase.at;
  return { from: to - 1000 * phase.seconds, to };
}

/** Milliseconds covered by at least one of the stretches. */
function covered(stretches: readonly Stretch[]): number {
  let [total, end] = [0, -Infinity];
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
}
