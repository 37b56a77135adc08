/** A small chart's definition: lines or bars over epochs, the sentence that reads them, their numbers as a table. */
import type { EpochRow } from '../../../src/shared/report/data.ts';
import { defined } from '../../../src/shared/defined.ts';
import type { LineSeries } from '../../charts/lineChart.ts';
import type { SeriesPoint } from '../../charts/seriesGeometry.ts';
import type { StackRow } from '../../charts/stackGeometry.ts';
import type { Cell } from '../../lib/csv.ts';
import * as l10n from '@vscode/l10n';
import type { Column } from '../../lib/lists/table.ts';
import { courseReading, type CoursePart } from '../../report/readings.ts';
import type { RunModel } from '../runModel.ts';

/** One chart's current content. */
export interface Shown {
  reading: string;
  /** The newest value, in the heading. */
  value?: string;
  note?: string;
  unit: string;
  /** Of an axis value. */
  format: (value: number) => string;
  lines?: {
    series: readonly LineSeries[];
    references?: readonly { label: string; value: number }[];
    crosses?: { epochs: readonly number[]; label: string };
  };
  stack?: {
    /** Bottom first. */
    layers: readonly { label: string; fill: string }[];
    rows: readonly StackRow[];
    normalise: boolean;
    /** Of one part in a tooltip. */
    formatPart: (value: number) => string;
  };
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
}

/** Why there is nothing to draw. */
export interface Missing {
  missing: string;
}

export interface SmallChart {
  id: string;
  title: string;
  /** Where it says nothing of this run, not even that something is missing. */
  absent?: (model: RunModel) => boolean;
  /** Known of the whole run alone: it says nothing of one of several domains. */
  whole?: true;
  show: (model: RunModel) => Shown | Missing;
}

export const notMeasured = (): Missing => ({ missing: l10n.t('No epoch has been measured yet.') });

/** One number over the epochs that have it. */
export function pointsOf<T extends { epoch: number }>(
  rows: readonly T[],
  value: (row: T) => number | null | undefined,
): SeriesPoint[] {
  return rows.flatMap((row) => {
    const found = value(row);
    return found == null ? [] : [{ epoch: row.epoch, value: found }];
  });
}

/** A line with its look and how its value is read from a row. */
export interface LinePart extends Omit<LineSeries, 'points'> {
  /** Of the value, in the reading. */
  unit?: string;
  value: (row: EpochRow) => number | null;
}

/** One line for each policy. */
export function ofPolicies(agent: LinePart['value'], environment: LinePart['value'], unit = ''): LinePart[] {
  return [
    { label: l10n.t('agent'), tone: 'agent', mark: 'circle', unit, value: agent },
    { label: l10n.t('environment'), tone: 'environment', mark: 'square', dashed: true, unit, value: environment },
  ];
}

/** Lines over the run's rows, one table column each. */
export function linesShown(
  { rows }: RunModel,
  parts: readonly LinePart[],
  how: { unit: string; format: (value: number) => string; reading?: string },
): Shown | Missing {
  const series = parts.map(({ label, tone, mark, dashed, value }) => ({
    label,
    tone,
    mark,
    ...defined({ dashed }),
    points: pointsOf(rows, value),
  }));
  if (series.every(({ points }) => points.length === 0)) return notMeasured();
  const told = parts.map(({ label, unit = '', value }): CoursePart => ({
    name: label,
    unit,
    value,
    format: how.format,
  }));
  const measured = rows.filter((row) => parts.some(({ value }) => value(row) !== null));
  return {
    reading: how.reading ?? courseReading(rows, told),
    unit: how.unit,
    format: how.format,
    lines: { series },
    columns: [epochColumn(), ...parts.map(({ label }) => ({ title: label, format: how.format }))],
    rows: measured.map((row) => [row.epoch, ...parts.map(({ value }) => value(row))]),
  };
}

export const epochColumn = (): Column => ({ title: l10n.t('Epoch'), format: String });
