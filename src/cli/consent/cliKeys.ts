/** Keys on the command line: from the environment, sent where a person allowed it once or for this command. */
import { environmentKeys, keyReference, type Keys } from '../../launch/access/keys.ts';
import { permitsFor, readPermit, type Permit } from '../../launch/access/permit.ts';
import type { Surroundings } from '../context.ts';
import { UsageError } from '../usageError.ts';
import { consentFile, readConsent } from './consentFile.ts';

/** @throws UsageError */
export function permitOf(text: string): Permit {
  const permit = readPermit(text);
  if (permit !== null) return permit;
  // Before an “@” a key may stand, which must not be repeated.
  throw new UsageError(
    `"${text.replace(/^.*@/s, '…@')}" is no address to allow.`,
    'Give URL, or NAME@URL with the environment variable of the key: OPENAI_API_KEY@https://api.openai.com.',
  );
}

/** @throws UsageError */
export async function cliKeys({
  terminal,
  arguments: given,
}: Pick<Surroundings, 'terminal' | 'arguments'>): Promise<Keys> {
  const kept = await readConsent(consentFile(terminal.env));
  return environmentKeys(terminal.env, [...kept, ...given.all('allow').map(permitOf), ...typed(given)]);
}

/** An address that a person types, with the key typed beside it, is allowed by that. */
function typed(given: Surroundings['arguments']): Permit[] {
  const url = [given.text('url'), given.target].find((text) => text !== null && /^https?:\/\//.test(text)) ?? null;
  if (url === null) return [];
  const key = given.text('key');
  if (key !== null) keyReference(key);
  return permitsFor(url, key);
}
