/** What a remote endpoint says of itself, asked once and quickly: for whoever watches it or is about to use it. */
import { loadIfTold, type ServerLoad } from '../backends/http/load.ts';
import { readFacts } from '../backends/tinker/facts.ts';
import type { Endpoint } from '../shared/experiment/endpoint.ts';
import type { Keys } from './keys.ts';
import { tinkerClient } from './tinkerClient.ts';

/** An endpoint with an address. */
export type RemoteEndpoint = Exclude<Endpoint, { kind: 'embedded' }>;

/** Where an endpoint is and how it is entered, whatever model is used there. */
export type Address = Pick<RemoteEndpoint, 'kind' | 'url' | 'key'>;

export interface EndpointLook {
  /** What it serves; empty where it does not say. `context` in tokens, null where it does not say. */
  models: readonly { name: string; context: number | null }[];
  /** The same request gives the same answer; null where it does not say. */
  deterministic: boolean | null;
  /** Null where it does not say. */
  load: ServerLoad | null;
}

type Look = (address: Address, keys: Keys, signal: AbortSignal) => Promise<EndpointLook>;

/** A kind that is added gets its entry here. */
const looks: Readonly<Record<RemoteEndpoint['kind'], Look>> = { tinker: lookAtTinker };

/** @throws EndpointError, KeyError */
export const lookAt: Look = (address, keys, signal) => looks[address.kind](address, keys, signal);

async function lookAtTinker(address: Address, keys: Keys, signal: AbortSignal): Promise<EndpointLook> {
  const http = tinkerClient(address, keys);
  try {
    const [facts, load] = await Promise.all([readFacts(http, signal, 1), loadIfTold(http, signal)]);
    const models = facts.models.map((name) => ({ name, context: facts.contextOf(name) }));
    return { models, deterministic: facts.deterministic ? true : null, load };
  } finally {
    http.close();
  }
}

export const isRemote = (endpoint: Endpoint): endpoint is RemoteEndpoint => endpoint.kind !== 'embedded';

/** An address as errors and people name it: without user, key and query. */
export function addressText(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
