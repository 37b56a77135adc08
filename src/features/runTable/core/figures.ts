/** A run's figures so far, from its folded journal: costs, gains, remaining time, price. */
import type { EpochFold } from '../../../runs/facts/epochFold.ts';
import { secondsAhead } from '../../../runs/facts/timeline/outlook.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { RunFigures } from '../contract.ts';

/** Of a million tokens, by a model's name or a server's address. */
export type Prices = Readonly<Record<string, number>>;

/** @param experiment the settings in force */
export function figuresOf(fold: EpochFold, experiment: Experiment, finished: boolean, prices: Prices): RunFigures {
  const { rollouts, tokens, seconds } = fold.totals;
  const { validations, rows } = fold;
  const last = validations.at(-1);
  const written = rows.reduce((sum, row) => sum + row.tokens.generate, 0);
  const change = last?.change ?? null;
  const times = rows.flatMap((row) => row.seconds.whole ?? []);
  return {
    rollouts,
    tokens,
    seconds,
    validation: last?.successRate.p ?? null,
    gain: change && { difference: change.difference, low: change.low, high: change.high },
    left: finished
      ? null
      : secondsAhead({ times, done: times.length, spent: fold.totals, used: fold.used }, experiment),
    cost: costOf(experiment, { written, solved: tokens - written }, prices),
  };
}

/** Tasks are written by one endpoint and solved by the other. Null where one that was used has no price. */
function costOf(
  { endpoints }: Experiment,
  { written, solved }: { written: number; solved: number },
  prices: Prices,
): number | null {
  const parts = [
    { tokens: written, price: priceOf(endpoints.environment, prices) },
    { tokens: solved, price: priceOf(endpoints.agent, prices) },
  ].filter(({ tokens }) => tokens > 0);
  if (parts.length === 0) return null;
  let cost = 0;
  for (const { tokens, price } of parts) {
    if (price === null) return null;
    cost += (tokens / 1e6) * price;
  }
  return cost;
}

/** By the model's name, else by the server's address. */
function priceOf(endpoint: Experiment['endpoints']['agent'], prices: Prices): number | null {
  const names = ['model' in endpoint ? endpoint.model : null, 'url' in endpoint ? endpoint.url : null];
  for (const name of names) {
    const price = name === null ? undefined : prices[name];
    if (price !== undefined) return price;
  }
  return null;
}
