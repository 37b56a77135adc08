/** The layout of the phase timeline: a row an epoch, a lane each for writing, attempts and the two updates. Pure. */
import { scaleLinear, type ScaleLinear } from 'd3';
import { largest } from '../../../src/shared/extremes.ts';
import type { TimelinePhase } from '../../../src/shared/report/timeline.ts';
import type { TimelineEpoch, TimelineStretch } from '../../../src/shared/report/timelineCourse.ts';

const lane = 8;
const between = 10;
export const rowHeight = 4 * lane + between;

/** First lane and number of lanes. Both updates wait for scoring. */
const lanes: Record<TimelinePhase, readonly [number, number]> = {
  generate: [0, 1],
  attempt: [1, 1],
  measure: [1, 1],
  score: [2, 2],
  agent: [2, 1],
  environment: [3, 1],
  'agent-publish': [2, 1],
  'environment-publish': [3, 1],
};

export interface PlacedStretch {
  stretch: TimelineStretch;
  /** Of the epoch in which it happened. */
  epoch: number;
  ahead: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
}

interface PlacedEpoch {
  epoch: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface TimelineGeometry {
  /** In `unit`. */
  x: ScaleLinear<number, number>;
  unit: 's' | 'min' | 'h';
  rows: PlacedEpoch[];
  /** Row by row; what was done ahead is behind the epoch's own. */
  stretches: PlacedStretch[];
}

const units = [
  { unit: 'h', milliseconds: 3_600_000 },
  { unit: 'min', milliseconds: 60_000 },
  { unit: 's', milliseconds: 1000 },
] as const;

export function timelineGeometry(
  epochs: readonly TimelineEpoch[],
  { left, right, top }: { left: number; right: number; top: number },
): TimelineGeometry {
  const longest = Math.max(1, largest(epochs.map(({ length }) => length)));
  const { unit, milliseconds } = units.find((one) => longest >= 2 * one.milliseconds) ?? units[2];
  const x = scaleLinear([0, longest / milliseconds], [left, right]);
  const at = (time: number): number => x(time / milliseconds);
  const rows = epochs.map(({ epoch, length }, i) => ({
    ...{ epoch, x: left, y: top + i * rowHeight },
    ...{ width: Math.max(1, at(length) - left), height: 4 * lane },
  }));
  const stretches = epochs.flatMap(({ epoch, stretches: own }, i) =>
    own
      .map((stretch): PlacedStretch => {
        const [first, count] = lanes[stretch.phase];
        const [from, to] = [at(stretch.from), at(stretch.to)];
        return {
          ...{ stretch, epoch, ahead: stretch.of !== epoch },
          ...{ x: from, width: Math.max(1, to - from) },
          ...{ y: top + i * rowHeight + first * lane + 0.5, height: count * lane - 1 },
        };
      })
      .sort((a, b) => Number(b.ahead) - Number(a.ahead)),
  );
  return { x, unit, rows, stretches };
}
