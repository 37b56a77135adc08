/** The visible part of the plane of epochs and success rates, and its place in pixels. Pure. */

/** Epoch e takes the column from e − ½ to e + ½. */
export interface View {
  x: readonly [number, number];
  y: readonly [number, number];
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Smallest stretch that can be zoomed to: less than one epoch, a fiftieth of the rates. */
const least = { x: 0.8, y: 0.02 };
/** Room above 1 and below 0, so that marks at the ends are whole. */
const margin = 0.015;

/** All that was measured; a young run leaves room for some epochs to come. */
export function wholeView(first: number, last: number, planned: number): View {
  const room = Math.min(planned, 10);
  return { x: [first - 0.5, Math.max(last, first + room - 1) + 0.5], y: [-margin, 1 + margin] };
}

/** Keeps a view inside the whole. */
export function within(view: View, whole: View): View {
  return { x: inside(view.x, whole.x, least.x), y: inside(view.y, whole.y, least.y) };
}

function inside(
  [from, to]: readonly [number, number],
  [low, high]: readonly [number, number],
  smallest: number,
): readonly [number, number] {
  if (to - from >= high - low) return [low, high];
  const span = Math.max(smallest, to - from);
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(low, middle - span / 2), high - span);
  return [start, start + span];
}

/** Zoomed by a factor around a point that stays where it is; below 1 shows less. */
export function zoomed(view: View, whole: View, factor: { x: number; y: number }, at: { x: number; y: number }): View {
  const around = ([from, to]: readonly [number, number], point: number, by: number): [number, number] => [
    point - (point - from) * by,
    point + (to - point) * by,
  ];
  const x = Math.max(factor.x, least.x / (view.x[1] - view.x[0]));
  const y = Math.max(factor.y, least.y / (view.y[1] - view.y[0]));
  return within({ x: around(view.x, at.x, x), y: around(view.y, at.y, y) }, whole);
}

/** Moved by epochs and rates. */
export function panned(view: View, whole: View, dx: number, dy: number): View {
  return within({ x: [view.x[0] + dx, view.x[1] + dx], y: [view.y[0] + dy, view.y[1] + dy] }, whole);
}

/** Pixels of a view in a box. */
export class Plane {
  readonly view: View;
  readonly box: Box;
  /** Pixels an epoch, and a whole success rate. */
  readonly column: number;
  readonly rise: number;

  constructor(view: View, box: Box) {
    this.view = view;
    this.box = box;
    this.column = (box.right - box.left) / (view.x[1] - view.x[0]);
    this.rise = (box.bottom - box.top) / (view.y[1] - view.y[0]);
  }

  x(epoch: number): number {
    return this.box.left + (epoch - this.view.x[0]) * this.column;
  }

  y(p: number): number {
    return this.box.bottom - (p - this.view.y[0]) * this.rise;
  }

  epochAt(x: number): number {
    return this.view.x[0] + (x - this.box.left) / this.column;
  }

  rateAt(y: number): number {
    return this.view.y[0] + (this.box.bottom - y) / this.rise;
  }

  /** Pixels that the families of one epoch are spread over, side by side. */
  spread(families: number): number {
    return Math.min(0.8 * this.column, families * widestSlot);
  }

  /** The place of a family in its epoch's column, by its rank from the hardest. */
  familyX(epoch: number, rank: number, families: number): number {
    const spread = this.spread(families);
    return this.x(epoch) - spread / 2 + ((rank + 0.5) / families) * spread;
  }
}

const widestSlot = 20;
