/** Prices of endpoints: by the hour of their servers, and by the tokens that they read, sample and train on. */
import type { Endpoint } from '../experiment/endpoints/endpoint.ts';
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

/** Null where no endpoint has a price. A server that both policies use is paid once an hour. */
export function pricesOf({ agent, environment }: Endpoints): Prices | null {
  if (!isPriced(agent) && !isPriced(environment)) return null;
  const servers = new Map<string, number>();
  for (const endpoint of [agent, environment]) {
    const { pricePerHour } = endpoint;
    const server = 'url' in endpoint ? endpoint.url : endpoint.kind;
    servers.set(server, Math.max(servers.get(server) ?? 0, pricePerHour ?? 0));
  }
  return {
    hour: [...servers.values()].reduce((sum, price) => sum + price, 0),
    agent: tokenPrices(agent),
    environment: tokenPrices(environment),
  };
}

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
