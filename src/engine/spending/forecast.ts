/** Time and money that an epoch will likely take, by the mean of the epochs before it. */
import type { Prices } from '../../shared/money/prices.ts';
import { costOf, type Effort, type Used } from '../../shared/money/used.ts';
import { largest } from '../../shared/extremes.ts';
import type { RunState } from '../state.ts';

export interface Forecast {
  /** Of one epoch. */
  seconds: number;
  /** Null where nothing has a price. */
  cost: number | null;
  /** Epochs that it rests on. */
  epochs: number;
}

/** Null before an epoch has finished. */
export function forecastOf({ recent }: Pick<RunState, 'recent'>, prices: Prices | null): Forecast | null {
  if (recent.length === 0) return null;
  const { seconds, used } = meanEffort(recent.map(({ whole }) => whole));
  return { seconds, cost: prices && costOf(used, seconds / 3600, prices), epochs: recent.length };
}

/** Zero of none. */
const meanEffort = (efforts: readonly Effort[]): Effort =>
  combined(efforts, (values) => values.reduce((sum, value) => sum + value, 0) / efforts.length);

/** In each part the most that any of them took; zero of none. */
export const largestEffort = (efforts: readonly Effort[]): Effort => combined(efforts, largest);

function combined(efforts: readonly Effort[], by: (values: readonly number[]) => number): Effort {
  const all = (of: (one: Effort) => number): number => (efforts.length === 0 ? 0 : by(efforts.map(of)));
  const role = (name: keyof Used): Used[keyof Used] => ({
    prompt: all(({ used }) => used[name].prompt),
    sampled: all(({ used }) => used[name].sampled),
    trained: all(({ used }) => used[name].trained),
  });
  return { seconds: all(({ seconds }) => seconds), used: { agent: role('agent'), environment: role('environment') } };
}

/** Money so far. */
export const spentOn = (
  { used, spent }: Pick<RunState, 'used'> & { spent: Pick<RunState['spent'], 'seconds'> },
  prices: Prices,
): number => costOf(used, spent.seconds / 3600, prices);
