/** Whom a request was meant for: a page whose own name was made to mean this machine (DNS rebinding) names itself. */
import { isIP } from 'node:net';
import { Refusal } from './refusal.ts';

export interface Listening {
  /** The address or name that the server is bound to. */
  host: string;
  /** Further names by which clients know it. */
  names: readonly string[];
}

const loopback = /^(127(\.\d{1,3}){3}|::1)$/;
const everywhere = ['0.0.0.0', '::'];

/** @throws Refusal 421 */
export function checkHost(header: string | undefined, { host, names }: Listening): void {
  const name = nameIn(header ?? '');
  if (name === 'localhost' || loopback.test(name)) return;
  const known = [host, ...names].map(plain);
  // An IP address has a fixed meaning; only names can be made to resolve to another machine.
  const reached = isIP(name) > 0 && everywhere.includes(plain(host));
  if (name !== '' && (reached || known.includes(name))) return;
  const remedy = 'Use its address, or start it with --allow-host NAME for a name that you trust.';
  throw new Refusal(421, `This server is not known as "${name}". ${remedy}`);
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/^\[|\]$|\.$/g, '');

/** Without its port; '' for an invalid host. */
const nameIn = (header: string): string =>
  plain(/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(header.trim())?.[1] ?? '');
