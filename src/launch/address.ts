/** Addresses of endpoints as a field holds them and as people and errors name them. Pure: views draw with it. */
import type { Endpoint } from '../shared/experiment/endpoint.ts';

/** An endpoint with an address. */
export type RemoteEndpoint = Exclude<Endpoint, { kind: 'embedded' }>;

/** Where an endpoint is and how it is entered, whatever model is used there. */
export type Address = Pick<RemoteEndpoint, 'kind' | 'url' | 'key'>;

export const isRemote = (endpoint: Endpoint): endpoint is RemoteEndpoint => endpoint.kind !== 'embedded';

/** The addresses of a field, one a replica; `text` as errors and people name it: without user, key and query. */
export function addressesText(field: string): { url: string; text: string }[] {
  const urls = field.split(/[\s,]+/).filter((url) => URL.canParse(url));
  return urls.map((url) => {
    const { origin, pathname } = new URL(url);
    return { url, text: `${origin}${pathname.replace(/\/+$/, '')}` };
  });
}

/** Whether an error that names this base address came from there. */
export const isAt = (field: string, base: string): boolean =>
  addressesText(field).some(({ text }) => text === base || text.startsWith(`${base}/`));
