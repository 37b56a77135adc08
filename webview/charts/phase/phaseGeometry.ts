/** The layout of the phase portrait. Pure. */
import * as l10n from '@vscode/l10n';
import { scaleLinear, type ScaleLinear } from 'd3';
import { largest, smallest } from '../../../src/shared/extremes.ts';
import { rate } from '../../../src/shared/text/figures/numbers.ts';
import { textWidth } from '../labels.ts';
import type { PlotFrame } from '../seriesGeometry.ts';
import { markedPlaces, phasePath, type PhasePoint } from './phaseCourse.ts';
import { numberPlaces, type Box, type Place, type Stretch } from './phaseLabels.ts';

interface PlacedEpoch {
  point: PhasePoint;
  x: number;
  y: number;
  low: number;
  high: number;
}

export interface PhaseMark {
  epoch: number;
  kind: 'first' | 'nth' | 'last';
  x: number;
  y: number;
  /** The place of its number; null where there is no room for it. */
  label: Place | null;
}

export interface PhaseGeometry {
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  epochs: PlacedEpoch[];
  path: Place[];
  /** The text at the line of α, from its right end. */
  reference: Place & { text: string };
  marks: PhaseMark[];
  /** Points on the path between two marks, with the direction there in degrees. */
  arrows: { x: number; y: number; angle: number }[];
}

/** Share of the range that stays free at both ends. */
const margin = 0.08;

export function phaseGeometry(points: readonly PhasePoint[], frame: PlotFrame, alpha: number): PhaseGeometry {
  const values = points.map(({ difficulty }) => difficulty);
  const [low, high] = [smallest(values), largest(values)];
  const wide = high > low ? (high - low) * margin : Math.max(0.5, Math.abs(high) * margin);
  const x = scaleLinear([low - wide, high + wide], [frame.left, frame.right]);
  const y = scaleLinear([0, 1], [frame.bottom, frame.top]);
  const epochs = points.map((point) => ({
    ...{ point, x: x(point.difficulty), y: y(point.p), low: y(point.low), high: y(point.high) },
  }));
  const path = phasePath(points).map(({ difficulty, p }) => ({ x: x(difficulty), y: y(p) }));
  const places = markedPlaces(points.map(({ epoch }) => epoch));
  const ends = places.flatMap((place) => path[place] ?? []);
  const arrows = places
    .slice(1)
    .flatMap((to, i) => arrowBetween(path, places[i] ?? 0, to))
    .filter((arrow) => ends.every((end) => Math.hypot(end.x - arrow.x, end.y - arrow.y) >= clearOfMarks));
  const marks = places.map((place) => ({
    epoch: points[place]?.epoch ?? 0,
    kind: kindOf(place, points.length),
    ...(path[place] ?? { x: 0, y: 0 }),
  }));
  const reference = { x: frame.right - 4, y: y(alpha) - 5, text: `α ${rate(alpha)}` };
  const labels = numberPlaces(
    marks.map((mark) => ({
      ...{ x: mark.x, y: mark.y, width: textWidth(phaseLabel(mark)), always: mark.kind !== 'nth' },
    })),
    {
      frame,
      stretches: [...stretchesOf(path), ...epochs.slice(-1).map(intervalOf)],
      symbols: arrows,
      texts: [referenceBox(reference)],
    },
  );
  return {
    x,
    y,
    epochs,
    path,
    reference,
    marks: marks.map((mark, i) => ({ ...mark, label: labels[i] ?? null })),
    arrows,
  };
}

const kindOf = (place: number, epochs: number): PhaseMark['kind'] =>
  place === epochs - 1 ? 'last' : place === 0 ? 'first' : 'nth';

const stretchesOf = (path: readonly Place[]): Stretch[] => path.slice(1).map((to, i) => [path[i] ?? to, to]);

/** It is drawn while its epoch is looked at, which the newest is at first. */
const intervalOf = ({ x, low, high }: PlacedEpoch): Stretch => [
  { x, y: low },
  { x, y: high },
];

const referenceBox = ({ x, y, text }: PhaseGeometry['reference']): Box => ({
  ...{ left: x - textWidth(text), right: x, top: y - 11, bottom: y + 3 },
});

/** Shorter stretches have no room for an arrow. */
const shortest = 26;
/** Pixels from an arrow to the next mark at least. */
const clearOfMarks = 14;

function arrowBetween(path: readonly Place[], from: number, to: number): { x: number; y: number; angle: number }[] {
  const [start, end] = [path[from], path[to]];
  if (start === undefined || end === undefined || Math.hypot(end.x - start.x, end.y - start.y) < shortest) return [];
  const after = Math.ceil((from + to) / 2);
  const [a, b] = [path[after - 1], path[after]];
  if (a === undefined || b === undefined) return [];
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return [{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, angle }];
}

/** `epoch 1` at the ends, the number alone between. */
export const phaseLabel = ({ epoch, kind }: Pick<PhaseMark, 'epoch' | 'kind'>): string =>
  kind === 'nth' ? String(epoch) : l10n.t('epoch {0}', epoch);
