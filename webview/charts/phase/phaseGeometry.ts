/** The layout of the phase portrait. Pure. */
import * as l10n from '@vscode/l10n';
import { scaleLinear, type ScaleLinear } from 'd3';
import { largest, smallest } from '../../../src/shared/extremes.ts';
import { textWidth } from '../labels.ts';
import type { PlotFrame } from '../seriesGeometry.ts';
import { markedPlaces, phasePath, type PhasePoint } from './phaseCourse.ts';

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
  label: { x: number; y: number } | null;
}

export interface PhaseGeometry {
  x: ScaleLinear<number, number>;
  y: ScaleLinear<number, number>;
  epochs: PlacedEpoch[];
  path: { x: number; y: number }[];
  marks: PhaseMark[];
  /** Points on the path between two marks, with the direction there in degrees. */
  arrows: { x: number; y: number; angle: number }[];
}

/** Share of the range that stays free at both ends. */
const margin = 0.08;

export function phaseGeometry(points: readonly PhasePoint[], frame: PlotFrame): PhaseGeometry {
  const values = points.map(({ difficulty }) => difficulty);
  const [low, high] = [smallest(values), largest(values)];
  const wide = high > low ? (high - low) * margin : Math.max(0.5, Math.abs(high) * margin);
  const x = scaleLinear([low - wide, high + wide], [frame.left, frame.right]);
  const y = scaleLinear([0, 1], [frame.bottom, frame.top]);
  const path = phasePath(points).map(({ difficulty, p }) => ({ x: x(difficulty), y: y(p) }));
  const places = markedPlaces(points.map(({ epoch }) => epoch));
  const ends = places.flatMap((place) => path[place] ?? []);
  const arrows = places
    .slice(1)
    .flatMap((to, i) => arrowBetween(path, places[i] ?? 0, to))
    .filter((arrow) => ends.every((end) => Math.hypot(end.x - arrow.x, end.y - arrow.y) >= clearOfMarks));
  return {
    x,
    y,
    epochs: points.map((point) => ({
      ...{ point, x: x(point.difficulty), y: y(point.p), low: y(point.low), high: y(point.high) },
    })),
    path,
    marks: withLabels(
      places.map((place) => ({
        epoch: points[place]?.epoch ?? 0,
        kind: place === points.length - 1 ? 'last' : place === 0 ? 'first' : 'nth',
        ...(path[place] ?? { x: 0, y: 0 }),
        label: null,
      })),
      arrows,
      frame,
    ),
    arrows,
  };
}

/** Shorter stretches have no room for an arrow. */
const shortest = 26;
/** Pixels from an arrow to the next mark at least. */
const clearOfMarks = 14;

function arrowBetween(
  path: readonly { x: number; y: number }[],
  from: number,
  to: number,
): { x: number; y: number; angle: number }[] {
  const [start, end] = [path[from], path[to]];
  if (start === undefined || end === undefined || Math.hypot(end.x - start.x, end.y - start.y) < shortest) return [];
  const after = Math.ceil((from + to) / 2);
  const [a, b] = [path[after - 1], path[after]];
  if (a === undefined || b === undefined) return [];
  const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
  return [{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, angle }];
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const apart = (a: Box, b: Box): boolean =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** First and last are placed first; each number goes to the nearest free side, or is left out. */
function withLabels(
  marks: readonly PhaseMark[],
  arrows: readonly { x: number; y: number }[],
  frame: PlotFrame,
): PhaseMark[] {
  const size = { height: 14, clear: 8 };
  const taken: Box[] = [...marks, ...arrows].map(({ x, y }) => ({
    left: x - 5,
    right: x + 5,
    top: y - 5,
    bottom: y + 5,
  }));
  const labels = new Map<PhaseMark, { x: number; y: number }>();
  const order = [...marks].sort((a, b) => Number(a.kind === 'nth') - Number(b.kind === 'nth'));
  for (const mark of order) {
    const width = textWidth(phaseLabel(mark));
    const half = size.height / 2;
    const aside = size.clear + width / 2;
    const wanted = [
      { x: mark.x + aside, y: mark.y },
      { x: mark.x - aside, y: mark.y },
      { x: mark.x, y: mark.y - size.clear - half },
      { x: mark.x, y: mark.y + size.clear + half },
      { x: mark.x + aside, y: mark.y - half - 3 },
      { x: mark.x - aside, y: mark.y + half + 3 },
    ];
    for (const at of wanted) {
      const box = { left: at.x - width / 2, right: at.x + width / 2, top: at.y - half, bottom: at.y + half };
      const inside =
        box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
      if (!inside || !taken.every((other) => apart(box, other))) continue;
      taken.push(box);
      labels.set(mark, at);
      break;
    }
  }
  return marks.map((mark) => ({ ...mark, label: labels.get(mark) ?? null }));
}

/** `epoch 1` at the ends, the number alone between. */
export const phaseLabel = ({ epoch, kind }: Pick<PhaseMark, 'epoch' | 'kind'>): string =>
  kind === 'nth' ? String(epoch) : l10n.t('epoch {0}', epoch);
