/** Addresses of endpoints as a field holds them and as people and errors name them. Pure: views draw with it. */
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import { urlsOf } from '../../shared/experiment/endpoints/origins.ts';

/** An endpoint with an address. */
export type RemoteEndpoint = Exclude<Endpoint, { kind: 'embedded' }>;

/** The location of and access to an endpoint, for any model there. */
export type Address = Pick<RemoteEndpoint, 'kind' | 'url' | 'key'>;

/** A server that an endpoint asks, and the model it asks for there. */
export interface EndpointServer extends Address {
  model: string;
}

/** A trainer of jobs has a server beside it, which samples. */
export function serversOf(endpoint: RemoteEndpoint): EndpointServer[] {
  const { kind, url, key, model } = endpoint;
  const own = { kind, url, key, model };
  if (endpoint.kind !== 'verl') return [own];
  return [own, { kind: 'openai', url: endpoint.sampler, key: endpoint.samplerKey, model }];
}

/** Whether a server can be polled: one behind a shell cannot. */
export const isWatchable = ({ url }: Pick<Address, 'url'>): boolean => /^\s*https?:/.test(url);

export const isRemote = (endpoint: Endpoint): endpoint is RemoteEndpoint => endpoint.kind !== 'embedded';

/** The addresses of a field, one a replica; `text` as errors and people name it: without user, key and query. */
export function addressesText(field: string): { url: string; text: string }[] {
  return urlsOf(field).map((url) => {
    const { protocol, host, pathname } = new URL(url);
    const place = host === '' ? protocol : `${protocol}//${host}`;
    return { url, text: `${place}${pathname.replace(/\/+$/, '')}` };
  });
}

/** Whether an error that names this base address came from there. */
export const isAt = (field: string, base: string): boolean =>
  addressesText(field).some(({ url, text }) => url === base || text === base || text.startsWith(`${base}/`));
