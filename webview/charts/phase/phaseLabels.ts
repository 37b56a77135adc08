/** Where the numbers of the phase portrait stand. Pure. */
import { least, range } from 'd3';
import { largest, smallest } from '../../../src/shared/extremes.ts';
import type { PlotFrame } from '../seriesGeometry.ts';

export interface Place {
  x: number;
  y: number;
}

export type Box = PlotFrame;

export type Stretch = readonly [from: Place, to: Place];

/** A mark that wants its number beside it. */
export interface Numbered extends Place {
  /** Of its text, in pixels. */
  width: number;
  /** Its number is drawn even where there is little room. */
  always: boolean;
}

export interface Surroundings {
  frame: PlotFrame;
  /** The line and intervals; numbers avoid them. */
  stretches: readonly Stretch[];
  /** Symbols on the line besides the marks. */
  symbols: readonly Place[];
  /** Other texts, which no number may lie on. */
  texts: readonly Box[];
}

const height = 14;
/** Pixels between two texts, beside and above each other: numbers side by side would read as one. */
const between = { x: 6, y: 3 };
/** Half the size of a symbol. */
const reach = 5;
/** Pixels between a mark and its number. */
const near = range(8, 30, 6);
/** A number hides a stretch rather than a symbol. */
const symbolCounts = 10;

/** The middles of the numbers; null where there is no room. Those that are always drawn choose first. */
export function numberPlaces(marks: readonly Numbered[], around: Surroundings): (Place | null)[] {
  const { frame, stretches } = around;
  const symbols = [...marks, ...around.symbols].map((at) => boxAround(at, 2 * reach, 2 * reach));
  const texts = [...around.texts];
  const far = range(30, frame.bottom - frame.top, 6).map((gap) => [gap]);
  const placed = new Map<Numbered, Place>();
  for (const mark of marks.toSorted((a, b) => Number(b.always) - Number(a.always))) {
    const boxOf = (at: Place): Box => boxAround(at, mark.width, height);
    const disturbs = (at: Place): number => {
      const box = boxOf(at);
      const crossed = stretches.filter((stretch) => crosses(stretch, box)).length;
      return crossed + symbolCounts * symbols.filter((symbol) => !apart(box, symbol)).length;
    };
    const kept = mark.always ? texts : [...texts, ...symbols];
    for (const gaps of mark.always ? [near, ...far] : [near]) {
      const free = gaps
        .flatMap((gap) => sides(mark, gap).map((at) => within(at, mark.width, frame)))
        .filter((at) => kept.every((other) => apart(boxOf(at), other)));
      const best = least(free, disturbs);
      if (best === undefined) continue;
      placed.set(mark, best);
      texts.push(boxAround(best, mark.width + 2 * between.x, height + 2 * between.y));
      break;
    }
  }
  return marks.map((mark) => placed.get(mark) ?? null);
}

const boxAround = ({ x, y }: Place, wide: number, high: number): Box => ({
  ...{ left: x - wide / 2, right: x + wide / 2, top: y - high / 2, bottom: y + high / 2 },
});

const apart = (a: Box, b: Box): boolean =>
  a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** Middles of a text beside, above, below and at the corners of its mark. */
function sides({ x, y, width }: Numbered, gap: number): Place[] {
  const [aside, above] = [gap + width / 2, gap + height / 2];
  const corner = gap - gap / Math.SQRT2;
  const [right, down] = [aside - corner, above - corner];
  return [
    { x: x + aside, y },
    { x: x - aside, y },
    { x, y: y - above },
    { x, y: y + above },
    { x: x + right, y: y - down },
    { x: x - right, y: y - down },
    { x: x + right, y: y + down },
    { x: x - right, y: y + down },
  ];
}

/** The nearest place at which a text lies inside the frame. */
function within({ x, y }: Place, width: number, { left, right, top, bottom }: PlotFrame): Place {
  return {
    x: Math.max(left + width / 2, Math.min(right - width / 2, x)),
    y: Math.max(top + height / 2, Math.min(bottom - height / 2, y)),
  };
}

/** Whether a stretch goes through a box. */
export function crosses([from, to]: Stretch, box: Box): boolean {
  const { left, right, top, bottom } = box;
  const beside = Math.max(from.x, to.x) < left || Math.min(from.x, to.x) > right;
  if (beside || Math.max(from.y, to.y) < top || Math.min(from.y, to.y) > bottom) return false;
  const side = (x: number, y: number): number => (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
  const corners = [side(left, top), side(right, top), side(left, bottom), side(right, bottom)];
  return smallest(corners) <= 0 && largest(corners) >= 0;
}
