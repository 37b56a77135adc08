/**
 * A person's consent that requests may go to an origin, with one key or with none. An experiment file can name any key for
 * any address, so a name in a file is never reason enough to send something.
 */
import * as z from 'zod';
import { keyReferencePattern } from '../../shared/experiment/endpoints/keyField.ts';
import { originOf, urlsOf } from '../../shared/experiment/endpoints/origins.ts';

export const permitSchema = z.object({
  /** `${env:NAME}` or `${secret:NAME}`; null for requests without a key. */
  key: z.string().regex(keyReferencePattern).nullable(),
  /** `https://host:port`, `ssh://user@host`. */
  origin: z.string().min(1),
});
export type Permit = z.infer<typeof permitSchema>;

/** Consent for an origin with a key covers requests without one, too. */
export const covers = (permits: readonly Permit[], { key, origin }: Permit): boolean =>
  permits.some((permit) => permit.origin === origin && (key === null || permit.key === key));

/** Whether requests stay on this machine and carry no key. */
export function staysHere({ key, origin }: Permit): boolean {
  if (key !== null) return false;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'local:' || (protocol !== 'ssh:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname));
}

/** Of a field that holds one address or several. */
export const permitsFor = (field: string, key: string | null): Permit[] =>
  urlsOf(field).map((url) => ({ key, origin: originOf(url) }));

/** `env:NAME@https://host`, `https://host`: as a user types it; null for other texts. A bare name is a variable. */
export function readPermit(text: string): Permit | null {
  const [, place = 'env', name, keyed = text] = /^(?:(env|secret):)?([A-Za-z_][\w.-]*)@(\w+:.*)$/.exec(text) ?? [];
  // Any other name may be a key that was pasted, which is written nowhere.
  if (place === 'env' && name !== undefined && !/^\w+$/.test(name)) return null;
  if (!/^(?:https?|ssh):\/\/[^/]/.test(keyed) || !URL.canParse(keyed)) return null;
  return { key: name === undefined ? null : `\${${place}:${name}}`, origin: originOf(keyed) };
}

/** The inverse of `readPermit`. */
export function writtenPermit({ key, origin }: Permit): string {
  const [, place, name] = keyReferencePattern.exec(key ?? '') ?? [];
  if (name === undefined) return origin;
  return place === 'secret' ? `secret:${name}@${origin}` : `${name}@${origin}`;
}
