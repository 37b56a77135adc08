/** The layout of stacked bars over epochs. Pure. */
import { scaleLinear, type ScaleLinear } from 'd3';
import { columnWidth, epochScale, type EpochScale } from './epochScale.ts';
import { spreadLabels } from './labels.ts';
import { byPlace, epochsAPlace } from './outline.ts';
import { zeroBased, type PlotFrame } from './seriesGeometry.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

export interface StackRow {
  epoch: number;
  /** One value a layer, bottom first. */
  values: readonly number[];
}

interface StackSegment {
  epoch: number;
  layer: number;
  value: number;
  x: number;
  width: number;
  y: number;
  height: number;
}

export interface StackGeometry {
  x: EpochScale;
  y: ScaleLinear<number, number>;
  segments: StackSegment[];
  /** Where each layer's label stands, right of the plot. */
  labels: number[];
  /** Middle of each layer in the last bar that has any value: the target of its label. */
  anchors: number[];
}

/** Lines of text that label layers, in pixels. */
const lineHeight = 15;

/**
 * Epochs that share a place become one bar, their mean.
 * @param normalise every bar becomes 1 high, so that shares can be compared; a bar without any value stays empty
 */
export function stackGeometry(
  all: readonly StackRow[],
  layers: number,
  epochs: readonly [number, number],
  { left, right, top, bottom }: PlotFrame,
  normalise: boolean,
): StackGeometry {
  const rows = byPlace(all, ({ epoch }) => epoch).map(meanBar);
  const totals = rows.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const x = epochScale(epochs, [left, right]);
  const y = normalise ? scaleLinear([0, 1], [bottom, top]) : scaleLinear(zeroBased(totals), [bottom, top]).nice(4);
  const column = columnWidth(x) * epochsAPlace(all.map(({ epoch }) => epoch));
  // Bars overlap by a hair when columns are too narrow for a visible gap: seams would wash their colour out.
  const width = column > 4 ? Math.min(26, column - Math.max(1, column * 0.22)) : column + 0.3;
  const segments: StackSegment[] = [];
  for (const [i, { epoch, values }] of rows.entries()) {
    const total = totals[i] ?? outOfRange();
    const unit = normalise ? total : 1;
    if (total === 0) continue;
    let below = 0;
    for (const [layer, value] of values.entries()) {
      if (value > 0) {
        const [from, to] = [y(below / unit), y((below + value) / unit)];
        segments.push({ epoch, layer, value, x: x(epoch) - width / 2, width, y: to, height: from - to });
      }
      below += value;
    }
  }
  const anchors = layerAnchors(rows, totals, layers, y, normalise);
  // From the top down, so that layers without height in the last bar keep the order of the stack.
  const labels = spreadLabels(anchors.toReversed(), lineHeight, [top + 4, bottom - 2]).reverse();
  return { x, y, segments, labels, anchors };
}

/** In the middle of its epochs. */
function meanBar(rows: readonly StackRow[]): StackRow {
  const [first = outOfRange()] = rows;
  if (rows.length === 1) return first;
  const last = rows.at(-1) ?? first;
  return {
    epoch: (first.epoch + last.epoch) / 2,
    values: first.values.map(
      (_, layer) => rows.reduce((sum, { values }) => sum + (values[layer] ?? 0), 0) / rows.length,
    ),
  };
}

function layerAnchors(
  rows: readonly StackRow[],
  totals: readonly number[],
  layers: number,
  y: (value: number) => number,
  normalise: boolean,
): number[] {
  const last = totals.findLastIndex((total) => total > 0);
  const unit = normalise ? (totals[last] ?? 1) : 1;
  let below = 0;
  return Array.from({ length: layers }, (_, layer) => {
    const value = rows[last]?.values[layer] ?? 0;
    const middle = y((below + value / 2) / unit);
    below += value;
    return middle;
  });
}
