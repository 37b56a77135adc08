/** Prices of endpoints: by the hour of their servers, and by the tokens that they read, sample and train on. */
import type { Endpoint } from '../experiment/endpoints/endpoint.ts';
import { originsOf } from '../experiment/endpoints/origins.ts';
import type { Experiment } from '../experiment/schema.ts';

/** Of one token, in the currency of the experiment’s prices. */
export interface TokenPrices {
  prompt: number;
  sampled: number;
  trained: number;
}

export interface Prices {
  /** Of an hour of all servers together. */
  hour: number;
  agent: TokenPrices;
  environment: TokenPrices;
}

type Endpoints = Experiment['endpoints'];

/** Null where no endpoint has a price. Servers that both policies use are paid once an hour. */
export function pricesOf({ agent, environment }: Endpoints): Prices | null {
  if (!isPriced(agent) && !isPriced(environment)) return null;
  const [first, second] = [agent.pricePerHour ?? 0, environment.pricePerHour ?? 0];
  return {
    hour: sharesServers(agent, environment) ? Math.max(first, second) : first + second,
    agent: tokenPrices(agent),
    environment: tokenPrices(environment),
  };
}

/** Whether the servers of one are among those of the other, by their origins: a path or a letter more is no other server. */
function sharesServers(agent: Endpoint, environment: Endpoint): boolean {
  const [one, other] = [originsOf(agent), originsOf(environment)];
  return one.every((origin) => other.includes(origin)) || other.every((origin) => one.includes(origin));
}

/** The price of a token whose use is not known: at most that of an answer's. */
export const mostPerToken = ({ agent, environment }: Prices): number => Math.max(agent.sampled, environment.sampled);

/** Whether tokens cost anything, so that the journal counts them by use. */
export const pricesTokens = ({ agent, environment }: Endpoints): boolean =>
  [agent, environment].some((endpoint) => Object.values(tokenPrices(endpoint)).some((price) => price > 0));

const isPriced = (endpoint: Endpoint): boolean =>
  Object.entries(endpoint).some(([field, value]) => field.startsWith('price') && typeof value === 'number');

/** Fields hold the price of a million. */
function tokenPrices(endpoint: Endpoint): TokenPrices {
  const of = (million: number | null | undefined): number => (million ?? 0) / 1e6;
  return {
    prompt: 'pricePrompt' in endpoint ? of(endpoint.pricePrompt) : 0,
    sampled: 'priceSampled' in endpoint ? of(endpoint.priceSampled) : 0,
    trained: 'priceTrained' in endpoint ? of(endpoint.priceTrained) : 0,
  };
}
