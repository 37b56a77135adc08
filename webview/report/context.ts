import { largest, smallest } from '../../src/shared/extremes.ts';
import type { ReportData } from '../../src/shared/report/data.ts';
import { reportOfDomain } from '../../src/shared/report/oneDomain.ts';
import type { SeriesPoint } from '../charts/seriesGeometry.ts';

/** The context that every section draws from. */
export interface Context {
  data: ReportData;
  /** First and last epoch of every chart's axis; epoch 0 is the validation before any training. */
  span: readonly [number, number];
  /** Of several, the domain that the data are of; null for all together. */
  domain: string | null;
}

export function contextOf(data: ReportData, domain: string | null): Context {
  const epochs = [...data.epochs, ...data.validation, ...data.evaluations].map(({ epoch }) => epoch);
  const shown = domain === null ? data : reportOfDomain(data, domain);
  return { data: shown, domain, span: epochs.length === 0 ? [0, 1] : [smallest(epochs), largest(epochs)] };
}

/** One number over the epochs that have it. */
export function pointsOf<T extends { epoch: number }>(
  epochs: readonly T[],
  value: (row: T) => number | null,
): SeriesPoint[] {
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
  if (run.mode === 'coevolve') return 'The environment policy is frozen: environment.update none does not train it.';
  const does: Record<string, string> = {
    random: 'it writes tasks but is not updated',
    static: 'it wrote its tasks once, before the first epoch',
    offline: 'tasks come from a file made elsewhere',
    release: 'it is asked for tasks but not updated, as in the public release',
  };
  return `In mode ${run.mode} the environment policy is frozen: ${does[run.mode] ?? 'it is not updated'}.`;
}
