/** A run's cost so far: by the prices of its endpoints, else by those of the setting `genenv.prices`. */
import * as z from 'zod';
import { spentOn } from '../../../engine/spending/forecast.ts';
import type { Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { pricesOf } from '../../../shared/money/prices.ts';
import type { Used } from '../../../shared/money/used.ts';

/** Of a million tokens, by a model's name or a server's address. */
export type Prices = Readonly<Record<string, number>>;

/** Use of the endpoints of a run. */
export interface Bill {
  endpoints: Experiment['endpoints'];
  used: Used;
  spent: {
    /** Null where those of some attempts are not known. */
    tokens: number | null;
    rollouts: number;
    seconds: number;
  };
}

/** Null where nothing has a price, one of two that were used has none, or not all tokens are known. */
export function costOf({ endpoints, used, spent }: Bill, prices: Prices): number | null {
  const own = pricesOf(endpoints);
  if (own !== null) return spentOn({ used, spent }, own);
  const roles = (['agent', 'environment'] as const).filter((role) => tokensOf(used, role) > 0);
  // Embedded policies alone have no price: 0 in every row would say nothing.
  if (roles.every((role) => endpoints[role].kind === 'embedded')) return null;
  if (spent.tokens === null) return null;
  let cost = 0;
  for (const role of roles) {
    const price = priceOf(endpoints[role], prices);
    if (price === null) return null;
    cost += (tokensOf(used, role) / 1e6) * price;
  }
  return cost;
}

const tokensOf = (used: Used, role: keyof Used): number => used[role].prompt + used[role].sampled;

/** By the model's name, else by the server's address. */
function priceOf(endpoint: Endpoint, prices: Prices): number | null {
  if (endpoint.kind === 'embedded') return 0;
  const names = ['model' in endpoint ? endpoint.model : null, 'url' in endpoint ? endpoint.url : null];
  for (const name of names) {
    const price = name === null ? undefined : prices[name];
    if (price !== undefined) return price;
  }
  return null;
}

const price = z.number().nonnegative();

/** Of a setting. Invalid ones are left out, each by itself; the editor marks them in its settings. */
export const pricesIn = (setting: unknown): Prices =>
  Object.fromEntries(
    Object.entries(z.record(z.string(), z.unknown()).safeParse(setting).data ?? {}).flatMap(([name, value]) => {
      const { data } = price.safeParse(value);
      return data === undefined ? [] : [[name, data]];
    }),
  );
