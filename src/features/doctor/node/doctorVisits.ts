/** Which endpoints the doctor is to see: those of an experiment, or one at an address. */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../../endpoints/endpointError.ts';
import { endpointDefaults, type Endpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { addressesText, isRemote, type Address } from '../../../launch/access/address.ts';
import { KeyError, keyReference, type Keys } from '../../../launch/access/keys.ts';
import { lookAt } from '../../../launch/policies/lookAt.ts';
import type { Role } from '../../../launch/policies/weightFiles.ts';

export interface Visit {
  /** `tinker at http://127.0.0.1:8787, model genenv/agent`. */
  subject: string;
  endpoint: Endpoint;
  role: Role;
}

/** Both endpoints, the same one only once. */
export function visitsOf({ endpoints }: Pick<Experiment, 'endpoints'>): Visit[] {
  return eachOnce((['agent', 'environment'] as const).map((role) => visitOf(endpoints[role], role)));
}

/** A server that is known by its address alone; a trainer of jobs is known by its experiments. */
type ServerAddress = Address & { kind: 'tinker' | 'openai' };

/** The trainers of jobs at an address, as experiments and runs use them; each only once. */
export function visitsAtCluster(url: string, users: readonly Pick<Experiment, 'endpoints'>[]): Visit[] {
  return eachOnce(users.flatMap(visitsOf).filter(({ endpoint }) => endpoint.kind === 'verl' && endpoint.url === url));
}

const eachOnce = (visits: readonly Visit[]): Visit[] =>
  visits.filter(({ subject }, i) => visits.findIndex((other) => other.subject === subject) === i);

/**
 * One at an address, with the named model or the first that it serves.
 * @throws KeyError for a key that is no reference
 */
export async function visitAt(address: ServerAddress, model: string | null, keys: Keys): Promise<Visit> {
  if (address.key !== null) keyReference(address.key);
  const known = model ?? (await firstModel(address, keys));
  const chosen = known ?? endpointDefaults[address.kind].model;
  const { url, key } = address;
  const rest = { url, key, model: chosen };
  const endpoint: Endpoint =
    address.kind === 'tinker' ? { ...endpointDefaults.tinker, ...rest } : { ...endpointDefaults.openai, ...rest };
  const found = visitOf(endpoint, chosen === 'genenv/environment' ? 'environment' : 'agent');
  // The default model, neither chosen by a person nor named by a server, would look like a finding.
  return known === null ? { ...found, subject: l10n.t('{0} at {1}', address.kind, whereOf(url)) } : found;
}

/** Null when it cannot be asked: the visit says why. */
async function firstModel(address: Address, keys: Keys): Promise<string | null> {
  try {
    const { models } = await lookAt(address, keys, AbortSignal.timeout(30_000));
    return models[0]?.name ?? null;
  } catch (error) {
    if (KeyError.is(error) || EndpointError.is(error)) return null;
    throw error;
  }
}

const whereOf = (url: string): string =>
  addressesText(url)
    .map(({ text }) => text)
    .join(', ');

function visitOf(endpoint: Endpoint, role: Role): Visit {
  const subject = isRemote(endpoint)
    ? l10n.t('{0} at {1}, model {2}', endpoint.kind, whereOf(endpoint.url), endpoint.model)
    : l10n.t('embedded, weights {0}', endpoint.weights);
  return { subject, endpoint, role };
}
