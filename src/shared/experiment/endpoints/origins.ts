/** Which servers an endpoint asks, however its addresses are written. */
import type { Endpoint } from './endpoint.ts';

/** The part of an address that says which server answers: scheme, host and port; of SSH the user, too. */
export function originOf(url: string): string {
  const { protocol, host, origin, username } = new URL(url);
  // The platform gives "null" for schemes that are not of the web.
  return origin === 'null' ? `${protocol}//${username === '' ? '' : `${username}@`}${host}` : origin;
}

/** The addresses of a field, one a replica. */
export const urlsOf = (field: string): string[] => field.split(/[\s,]+/).filter((url) => URL.canParse(url));

/** Of this program's own models. */
export const embedded = 'embedded';

/** Of every replica, and of the server that samples for a trainer of jobs; `embedded` of this program's own models. */
export function originsOf(endpoint: Endpoint): string[] {
  if (endpoint.kind === 'embedded') return [embedded];
  const fields = endpoint.kind === 'verl' ? [endpoint.url, endpoint.sampler] : [endpoint.url];
  return [...new Set(fields.flatMap(urlsOf).map(originOf))];
}
