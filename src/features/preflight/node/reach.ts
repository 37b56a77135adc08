/**
 * Whether remote endpoints are usable at all, asked once and quickly, before anything slow or paid begins: a fault is
 * reported at the one field that fixes it.
 */
import * as l10n from '@vscode/l10n';
import { EndpointError } from '../../../endpoints/endpointError.ts';
import { addressesOf } from '../../../endpoints/openai/address.ts';
import { modelsOf } from '../../../endpoints/openai/serverKind.ts';
import { readFacts, type ServerFacts } from '../../../endpoints/tinker/facts.ts';
import { TokensError } from '../../../endpoints/tokens/tokensError.ts';
import type { Endpoint, OpenaiEndpoint, VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Finding } from '../contract.ts';
import { KeyError, type Keys } from '../../../launch/access/keys.ts';
import { addressesText, isAt, isRemote, serversOf, type RemoteEndpoint } from '../../../launch/access/address.ts';
import { openaiConnection } from '../../../launch/policies/openaiClient.ts';
import { openTokens } from '../../../launch/policies/openTokens.ts';
import { tinkerClient, tinkerTokens } from '../../../launch/policies/tinkerClient.ts';
import { clusterOf } from '../../../launch/policies/verlClient.ts';

type Facts = Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>;
type Role = 'agent' | 'environment';

const roles: readonly Role[] = ['agent', 'environment'];
/** A name that is close enough is offered first; a server may have hundreds. */
const mostNames = 8;

interface ReachNeeds {
  keys: Keys;
  /** The folder of built files. */
  dist: URL;
  signal: AbortSignal;
}

/** Faults that keep an experiment's endpoints from being used; empty for none. */
export async function reach({ endpoints }: Experiment, needs: ReachNeeds): Promise<Facts[]> {
  const findings = await Promise.all(roles.map((role) => reachOne(endpoints[role], role, needs)));
  return findings.flat();
}

/** An endpoint's error, at its field; null for other errors. */
export function endpointFinding(error: unknown, { endpoints }: Pick<Experiment, 'endpoints'>): Facts | null {
  const from = EndpointError.is(error) ? error.endpoint : null;
  const remote = roles.filter((one) => isRemote(endpoints[one]));
  const isOf = (role: Role): boolean => {
    const endpoint = endpoints[role];
    return isRemote(endpoint) && from !== null && serversOf(endpoint).some(({ url }) => isAt(url, from));
  };
  const role = remote.find(isOf) ?? remote[0];
  if (role === undefined) return null;
  const endpoint = endpoints[role];
  const sampler = endpoint.kind === 'verl' && from !== null && isAt(endpoint.sampler, from);
  return findingOf(error, role, sampler ? samplerFields : ownFields);
}

async function reachOne(endpoint: Endpoint, role: Role, needs: ReachNeeds): Promise<Facts[]> {
  const { keys, signal } = needs;
  if (!isRemote(endpoint)) return [];
  try {
    if (endpoint.kind === 'openai') return await reachOpenai(endpoint, role, needs);
    if (endpoint.kind === 'verl') return await reachVerl(endpoint, role, needs);
    const http = tinkerClient(endpoint, keys);
    try {
      const facts = await readFacts(http, signal, 1);
      const missing = unserved(endpoint, role, facts);
      if (missing !== null) return [missing];
      await tinkerTokens(endpoint, facts, { ...needs, tries: 1 });
      return [];
    } finally {
      http.close();
    }
  } catch (error) {
    const finding = findingOf(error, role);
    if (finding === null) throw error;
    return [finding];
  }
}

/** The launcher, and the sampler beside it. */
async function reachVerl(endpoint: VerlEndpoint, role: Role, needs: ReachNeeds): Promise<Facts[]> {
  const { keys, signal } = needs;
  const { sampler, samplerKey, model } = endpoint;
  const { launcher } = clusterOf(endpoint, keys, { tries: 1 });
  const served = { url: sampler, key: samplerKey, model, tokenizer: null };
  try {
    await launcher.check(signal);
  } finally {
    launcher.close();
  }
  try {
    return await reachOpenai(served, role, needs);
  } catch (error) {
    const finding = findingOf(error, role, samplerFields);
    if (finding === null) throw error;
    return [finding];
  }
}

async function reachOpenai(
  endpoint: Pick<OpenaiEndpoint, 'url' | 'key' | 'model' | 'tokenizer'>,
  role: Role,
  needs: ReachNeeds,
): Promise<Facts[]> {
  const { keys, signal } = needs;
  const { url, key, model, tokenizer } = endpoint;
  const served = addressesOf(url).map(async (address) => {
    const connection = openaiConnection(address, key, keys);
    try {
      const models = (await modelsOf(connection, signal, 1)).map(({ id }) => id);
      const missing = unserved({ model, url: address.root }, role, { models, names: [model, `${model}:latest`] });
      // Some accept any name, and some load models that are not on their list: the first request shows.
      return missing === null ? [] : [{ ...missing, severity: 'warning' as const }];
    } finally {
      connection.http.close();
    }
  });
  const findings = (await Promise.all(served)).flat();
  if (tokenizer !== null) await openTokens(tokenizer, { ...needs, tries: 1 });
  return findings;
}

function unserved(
  { model, url }: Pick<RemoteEndpoint, 'model' | 'url'>,
  role: Role,
  { models, names = [model] }: Pick<ServerFacts, 'models'> & { names?: readonly string[] },
): Facts | null {
  if (models.length === 0 || names.some((name) => models.includes(name))) return null;
  const more = models.length > mostNames ? `, ${l10n.t('and {0} more', models.length - mostNames)}` : '';
  return {
    severity: 'error',
    message: l10n.t(
      '{0} does not serve the model "{1}".',
      addressesText(url)
        .map(({ text }) => text)
        .join(', '),
      model,
    ),
    remedy: l10n.t('It serves {0}.', `${models.slice(0, mostNames).join(', ')}${more}`),
    field: `endpoints.${role}.model`,
  };
}

/** Where an endpoint says how a server is reached. */
const ownFields = { key: 'key', url: 'url' };
const samplerFields = { key: 'samplerKey', url: 'sampler' };

function findingOf(error: unknown, role: Role, fields = ownFields): Facts | null {
  if (!EndpointError.is(error) && !KeyError.is(error) && !TokensError.is(error)) return null;
  const { message, remedy } = error;
  // Some contain the remedy in their message; a checklist has a separate line for it.
  const said = message.endsWith(remedy) ? message.slice(0, -remedy.length).trimEnd() : message;
  return { severity: 'error', message: said, remedy, field: `endpoints.${role}.${fieldOf(error, fields)}` };
}

function fieldOf(error: EndpointError | KeyError | TokensError, { key, url }: typeof ownFields): string {
  if (KeyError.is(error)) return key;
  if (TokensError.is(error)) return 'tokenizer';
  if (error.reason === 'credentials' || error.reason === 'billing') return key;
  return error.reason === 'unable' ? 'model' : url;
}
