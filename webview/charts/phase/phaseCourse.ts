/** A run's course through difficulty and success: the data of the phase portrait. Pure. */
import type { EpochRow } from '../../../src/shared/report/data.ts';

export interface PhasePoint {
  epoch: number;
  /** Mean difficulty of the epoch's tasks, in the measure's unit. */
  difficulty: number;
  p: number;
  low: number;
  high: number;
  successes: number;
  attempts: number;
  versions: EpochRow['versions'];
}

/** How difficulty is measured: by one of the domain's numbers, or, where it has none, by the tokens of a task. */
export interface PhaseMeasure {
  /** `steps`; '' for the tokens of a task. */
  key: string;
  value: (row: EpochRow) => number | null;
}

/** The domain's own measures in their order, those that never change left out where others do. */
export function phaseMeasures(rows: readonly EpochRow[]): PhaseMeasure[] {
  const keys = [...new Set(rows.flatMap(({ complexity }) => Object.keys(complexity)))];
  const changing = keys.filter((key) => new Set(rows.flatMap(({ complexity }) => complexity[key] ?? [])).size > 1);
  const used = changing.length > 0 ? changing : keys;
  if (used.length === 0) return [{ key: '', value: ({ taskLength }) => taskLength }];
  return used.map((key) => ({ key, value: ({ complexity }) => complexity[key] ?? null }));
}

/** Epochs of which both are known. */
export function phasePoints(rows: readonly EpochRow[], { value }: PhaseMeasure): PhasePoint[] {
  return rows.flatMap((row) => {
    const difficulty = value(row);
    if (difficulty === null || row.successRate?.p == null) return [];
    const { p, low, high, successes, attempts } = row.successRate;
    return [{ epoch: row.epoch, difficulty, p, low, high, successes, attempts, versions: row.versions }];
  });
}

/** From so many epochs on the path goes through moving means: single epochs are mostly noise. */
const smoothedFrom = 18;

/** Epochs of the moving mean, odd; 1 where the path goes through the epochs themselves. */
export const pathWindow = (epochs: number): number => (epochs < smoothedFrom ? 1 : 2 * Math.ceil(epochs / 30) + 1);

/** Means over windows around each epoch, which are cut short alike on both sides at the ends. */
export function phasePath(points: readonly PhasePoint[]): { epoch: number; difficulty: number; p: number }[] {
  const half = (pathWindow(points.length) - 1) / 2;
  return points.map(({ epoch }, i) => {
    const reach = Math.min(half, i, points.length - 1 - i);
    const own = points.slice(i - reach, i + reach + 1);
    const mean = (of: (point: PhasePoint) => number): number => own.reduce((sum, at) => sum + of(at), 0) / own.length;
    return { epoch, difficulty: mean(({ difficulty }) => difficulty), p: mean(({ p }) => p) };
  });
}

/** Places of the epochs that carry their number: the first, the last, and every nth, n a round number. */
export function markedPlaces(epochs: readonly number[], most = 8): number[] {
  const [first = 0] = epochs;
  const last = epochs.at(-1) ?? 0;
  const nth = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((n) => (last - first) / n <= most) ?? 5000;
  return epochs.flatMap((epoch, i) => (i === 0 || i === epochs.length - 1 || epoch % nth === 0 ? [i] : []));
}
