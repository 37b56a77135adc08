import { largest, smallest } from '../../src/shared/extremes.ts';
import type { EpochRow, ReportData } from '../../src/shared/report/data.ts';
import type { SeriesPoint } from '../charts/seriesGeometry.ts';

/** What every section draws from. */
export interface Context {
  data: ReportData;
  /** First and last epoch of every chart's axis; epoch 0 is the validation before any training. */
  span: readonly [number, number];
}

export function contextOf(data: ReportData): Context {
  const epochs = [...data.epochs, ...data.validation, ...data.evaluations].map(({ epoch }) => epoch);
  return { data, span: epochs.length === 0 ? [0, 1] : [smallest(epochs), largest(epochs)] };
}

/** One number over the epochs that have it. */
export function pointsOf(epochs: readonly EpochRow[], value: (row: EpochRow) => number | null): SeriesPoint[] {
  return epochs.flatMap((row) => {
    const found = value(row);
    return found === null ? [] : [{ epoch: row.epoch, value: found }];
  });
}

/** A table cell: — where nothing was measured. */
export const cell = (value: number | null | undefined, format: (value: number) => string): string =>
  value === null || value === undefined ? '—' : format(value);

/** Why there is nothing of the environment's training to show; null when it is trained. */
export function frozenEnvironment({ run }: ReportData): string | null {
  if (run.trains.environment) return null;
  const does: Record<string, string> = {
    random: 'it writes tasks but is not updated',
    static: 'it wrote its tasks once, before the first epoch',
    offline: 'tasks come from a file made elsewhere',
    release: 'it is asked for tasks but not updated, as in the public release',
  };
  return `In mode ${run.mode} the environment policy is frozen: ${does[run.mode] ?? 'it is not updated'}.`;
}
