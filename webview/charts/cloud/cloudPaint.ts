/** Draws the cloud of families, its band and its kernel, with any pen. */
import { familyRate } from '../families/familyRate.ts';
import type { Curriculum } from '../../../src/shared/report/data.ts';
import * as l10n from '@vscode/l10n';
import { rate } from '../../../src/shared/text/figures/numbers.ts';
import { spreadLabels, textWidth } from '../labels.ts';
import { paintAxes } from './axesPaint.ts';
import type { CloudIndex } from './cloudIndex.ts';
import type { Plane } from './cloudView.ts';
import { paintHeat } from './heatPaint.ts';
import { paintKernels } from './kernelPaint.ts';
import type { Palette } from './colours.ts';
import type { Pen } from './pen.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';
import type { CloudEpoch, CloudData, CloudFrame } from './cloudData.ts';

/** More families in sight than this are drawn as cells, fewer one by one. */
const mostMarks = 2500;

/** First and end of the epochs in sight, one more on either side so that lines run on. */
function inSight(epochs: readonly { epoch: number }[], { view }: Plane): [number, number] {
  const first = epochs.findIndex(({ epoch }) => epoch >= view.x[0] - 0.5);
  const end = epochs.findLastIndex(({ epoch }) => epoch <= view.x[1] + 0.5) + 1;
  return first === -1 ? [0, 0] : [Math.max(0, first - 1), Math.min(epochs.length, end + 1)];
}

/** The whole chart. */
export function paintCloud(pen: Pen, data: CloudData, frame: CloudFrame, palette: Palette): void {
  const { plane } = frame;
  const { left, right, top, bottom } = plane.box;
  const [first, end] = inSight(data.epochs, plane);
  const shown = data.epochs.slice(first, end);
  const clip = (draw: () => void): void => pen.clip(left, top, right - left, bottom - top, draw);
  clip(() => paintBands(pen, data, shown, plane, palette));
  paintAxes(pen, plane, palette, data.changes);
  clip(() => {
    paintFamilies(pen, data, plane, palette);
    paintMean(pen, shown, plane, palette);
  });
  paintKernels(pen, data, frame, palette);
  paintLabels(pen, data, frame, palette);
}

function paintBands(pen: Pen, data: CloudData, shown: readonly CloudEpoch[], plane: Plane, palette: Palette): void {
  const { colours } = palette;
  const { left, right, top, bottom } = plane.box;
  if (data.looked !== null && data.epochs.length > 1) {
    pen.rect(plane.x(data.looked - 0.5), top, plane.column, bottom - top, { colour: colours.looked });
  }
  for (const { from, to, curriculum } of bandStretches(shown)) {
    // Browsers drop dashes on a line that leaves the screen too far.
    const [x0, x1] = [Math.max(left - 10, plane.x(from)), Math.min(right + 10, plane.x(to))];
    const [y0, y1] = [plane.y(curriculum.alpha + curriculum.kMin), plane.y(curriculum.alpha - curriculum.kMin)];
    pen.rect(x0, y0, x1 - x0, y1 - y0, { colour: colours.band });
    for (const y of [y0, y1]) pen.line([x0, y, x1, y], { colour: colours['band-edge'], width: 1 });
    const y = plane.y(curriculum.alpha);
    pen.line([x0, y, x1, y], { colour: colours['band-edge'], width: 1, dash: [5, 4] });
  }
  if (data.preview === null) return;
  const { alpha, kMin } = data.preview;
  for (const p of [alpha + kMin, alpha - kMin]) {
    pen.line([left, plane.y(p), right, plane.y(p)], { colour: colours.environment, width: 1.5, dash: [2, 3] });
  }
}

/** One stretch for epochs with the same α and k_min after each other; the last one extends into the future. */
function bandStretches(epochs: readonly CloudEpoch[]): { from: number; to: number; curriculum: Curriculum }[] {
  const stretches: { from: number; to: number; curriculum: Curriculum }[] = [];
  for (const { epoch, curriculum } of epochs) {
    const open = stretches.at(-1);
    if (open?.curriculum.alpha === curriculum.alpha && open.curriculum.kMin === curriculum.kMin) open.to = epoch + 0.5;
    else {
      if (open !== undefined) open.to = epoch - 0.5;
      stretches.push({ from: epoch - 0.5, to: epoch + 0.5, curriculum });
    }
  }
  const last = stretches.at(-1);
  if (last !== undefined) last.to = Infinity;
  return stretches;
}

/** How the families in sight are drawn: counted in cells, one by one, or one by one and some with their intervals. */
export type Density = 'cells' | 'marks' | 'intervals';

export function densityOf(index: CloudIndex, plane: Plane): Density {
  const [first, end] = familiesInSight(index, plane);
  const stretches = index.stretches.slice(first, end);
  const marks = (stretches.at(-1)?.to ?? 0) - (stretches[0]?.from ?? 0);
  if (marks > mostMarks) return 'cells';
  return stretches.some(({ from, to }) => hasRoom(plane, to - from)) ? 'intervals' : 'marks';
}

/** First and end of the stretches. */
const familiesInSight = (index: CloudIndex, { view }: Plane): [number, number] =>
  index.between(Math.floor(view.x[0]), Math.ceil(view.x[1]));

/** Intervals closer than this would run into a grey area. */
const narrowestSlot = 1;

/** Whether an epoch's families are far enough apart for their intervals. */
const hasRoom = (plane: Plane, families: number): boolean => plane.spread(families) / families >= narrowestSlot;

function paintFamilies(pen: Pen, data: CloudData, plane: Plane, palette: Palette): void {
  const { index } = data;
  const range = familiesInSight(index, plane);
  if (densityOf(index, plane) === 'cells') paintHeat(pen, index, plane, range, palette);
  else paintMarks(pen, data, plane, range, palette);
}

/** Families one by one, each with its interval where there is room for it. */
function paintMarks(
  pen: Pen,
  { index }: CloudData,
  plane: Plane,
  [first, end]: readonly [number, number],
  palette: Palette,
): void {
  const { ink, muted } = palette.colours;
  const { family, rate: rates, columns } = index;
  const [whiskers, filled, hollow]: [number[][], number[], number[]] = [[], [], []];
  let slot = Infinity;
  for (let i = first; i < end; i++) {
    const stretch = index.stretches[i];
    if (stretch === undefined) continue;
    const { epoch, from, to } = stretch;
    const own = plane.spread(to - from) / (to - from);
    const whole = hasRoom(plane, to - from);
    slot = Math.min(slot, own);
    for (let place = from; place < to; place++) {
      const x = plane.familyX(epoch, place - from, to - from);
      (index.keptBetween(place, place + 1) === 1 ? filled : hollow).push(x, plane.y(rates[place] ?? outOfRange()));
      if (!whole) continue;
      const at = family[place] ?? outOfRange();
      const { low, high } = familyRate(columns, at);
      whiskers.push([x, plane.y(low), x, plane.y(high)]);
    }
  }
  const clear = Math.min(1, Math.max(0, (slot - 2) / 6));
  const width = Math.min(1.3, Math.max(0.7, slot * 0.5));
  for (const whisker of whiskers) pen.line(whisker, { colour: muted, width, opacity: 0.2 + 0.55 * clear });
  const radius = Math.min(3.6, Math.max(1.7, slot * 0.42));
  const crowded = slot < 3;
  pen.dots(hollow, radius - 0.3, { colour: ink, width: crowded ? 0.8 : 1.1, opacity: crowded ? 0.7 : 0.85 });
  pen.dots(filled, radius, { colour: ink, opacity: crowded ? 0.85 : 0.95 });
}

function paintMean(pen: Pen, shown: readonly CloudEpoch[], plane: Plane, { colours }: Palette): void {
  const every = Math.max(1, Math.floor(shown.length / (2 * (plane.box.right - plane.box.left))));
  const measured = shown.flatMap(({ epoch, mean }, i) =>
    mean === null || (i % every !== 0 && i !== shown.length - 1) ? [] : [{ x: plane.x(epoch), ...mean }],
  );
  if (measured.length === 0) return;
  const line = measured.flatMap(({ x, p }) => [x, plane.y(p)]);
  const sparse = plane.column > 44 || measured.length < 3;
  if (sparse) {
    for (const { x, low, high } of measured)
      pen.line([x, plane.y(low), x, plane.y(high)], { colour: colours.agent, width: 2 });
  } else {
    const upper = measured.flatMap(({ x, high }) => [x, plane.y(high)]);
    const lower = measured.toReversed().flatMap(({ x, low }) => [x, plane.y(low)]);
    pen.area([...upper, ...lower], { colour: colours.agent, opacity: 0.22 });
  }
  pen.line(line, { colour: colours.paper, width: 5, opacity: 0.8 });
  pen.line(line, { colour: colours.agent, width: 2.2 });
  if (sparse) {
    pen.dots(line, 5, { colour: colours.paper });
    pen.dots(line, 4, { colour: colours.agent });
  }
}

/** Names of line, band and α between the plane and the kernel, where both are read. */
function paintLabels(pen: Pen, data: CloudData, { plane, kernel }: CloudFrame, { colours }: Palette): void {
  const last = data.epochs.at(-1);
  if (last === undefined) return;
  const { alpha, kMin } = last.curriculum;
  const mean = data.epochs.findLast((epoch) => epoch.mean !== null)?.mean;
  const { top, bottom, right } = plane.box;
  const room = kernel.left - right - 10;
  const named = textWidth('α + k_min', 11) <= room;
  const labels = [
    { text: `α ${rate(alpha)}`, p: alpha, colour: colours.muted, bold: false },
    ...(named
      ? [
          { text: 'α + k_min', p: alpha + kMin, colour: colours.muted, bold: false },
          { text: 'α − k_min', p: alpha - kMin, colour: colours.muted, bold: false },
        ]
      : []),
    ...(mean == null ? [] : [{ text: l10n.t('mean {0}', rate(mean.p)), p: mean.p, colour: colours.agent, bold: true }]),
  ].filter(({ p }) => plane.y(p) >= top - 1 && plane.y(p) <= bottom + 1);
  const placed = spreadLabels(
    labels.map(({ p }) => plane.y(p)),
    14,
    [top, bottom],
  );
  for (const [i, { text, colour, bold }] of labels.entries()) {
    pen.text(right + 7, placed[i] ?? outOfRange(), text, { colour, size: 11, bold });
  }
}
