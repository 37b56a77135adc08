/** The data of the phase timeline: when each phase of an epoch was at work. */
import * as z from 'zod';

const timelinePhases = [
  ...(['generate', 'attempt', 'score', 'agent', 'environment', 'measure'] as const),
  // Within an update: its weights are given to samplers.
  ...(['agent-publish', 'environment-publish'] as const),
] as const;
export type TimelinePhase = (typeof timelinePhases)[number];

const number = z.number();

export const epochTimelineSchema = z.strictObject({
  /** Start and end of the epoch, milliseconds since the Unix epoch; the end null until it has finished. */
  from: number,
  to: number.nullable(),
  /** Milliseconds since the epoch's start; negative for what was done ahead of it. In the order of their events. */
  parts: z.array(z.strictObject({ phase: z.enum(timelinePhases), from: number, to: number })),
  /** When no process worked on the run: milliseconds since the epoch's start, in order. */
  still: z.array(z.strictObject({ from: number, to: number })),
});
export type EpochTimeline = z.infer<typeof epochTimelineSchema>;
export type TimelinePart = EpochTimeline['parts'][number];
