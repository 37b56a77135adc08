/** A remote endpoint's description of itself, asked once and with a short timeout: for displays and before use. */
import { loadIfTold, type ServerLoad } from '../../endpoints/http/load.ts';
import { addressesOf } from '../../endpoints/openai/address.ts';
import { modelsOf } from '../../endpoints/openai/serverKind.ts';
import { readFacts } from '../../endpoints/tinker/facts.ts';
import type { Address, RemoteEndpoint } from '../access/address.ts';
import type { Keys } from '../access/keys.ts';
import { openaiConnection } from './openaiClient.ts';
import { tinkerClient } from './tinkerClient.ts';
import { launcherAt } from './verlClient.ts';

export interface EndpointLook {
  /** The served models; empty where unknown. `context` in tokens, null where unknown. */
  models: readonly { name: string; context: number | null }[];
  /** The same request gives the same answer; null where it does not say. */
  deterministic: boolean | null;
  /** Null where it does not say. */
  load: ServerLoad | null;
  /** The server's name and version: `Ray 2.52.0`; null where its kind says it. */
  about: string | null;
}

type Look = (address: Address, keys: Keys, signal: AbortSignal) => Promise<EndpointLook>;

/** A kind that is added gets its entry here. */
const looks: Readonly<Record<RemoteEndpoint['kind'], Look>> = {
  tinker: lookAtTinker,
  openai: lookAtOpenai,
  verl: lookAtVerl,
};

/** @throws EndpointError, KeyError */
export const lookAt: Look = (address, keys, signal) => looks[address.kind](address, keys, signal);

async function lookAtTinker(address: Address, keys: Keys, signal: AbortSignal): Promise<EndpointLook> {
  const http = tinkerClient(address, keys);
  try {
    const [facts, load] = await Promise.all([readFacts(http, signal, 1), loadIfTold(http, signal)]);
    const models = facts.models.map((name) => ({ name, context: facts.contextOf(name) }));
    return { models, deterministic: facts.deterministic ? true : null, load, about: null };
  } finally {
    http.close();
  }
}

/** Replicas serve the same: the first speaks for all. */
async function lookAtOpenai({ url, key }: Address, keys: Keys, signal: AbortSignal): Promise<EndpointLook> {
  const [first] = addressesOf(url);
  const connection = openaiConnection(first, key, keys);
  try {
    const [served, load] = await Promise.all([modelsOf(connection, signal, 1), loadIfTold(connection.http, signal)]);
    const models = served.map(({ id, max_model_len }) => ({ name: id, context: max_model_len ?? null }));
    return { models, deterministic: null, load, about: null };
  } finally {
    connection.http.close();
  }
}

/** A cluster that trains by jobs serves nothing: its sampler is a separate server. */
async function lookAtVerl({ url, key }: Address, keys: Keys, signal: AbortSignal): Promise<EndpointLook> {
  const launcher = launcherAt({ url, key }, keys);
  try {
    return { models: [], deterministic: null, load: null, about: await launcher.check(signal) };
  } finally {
    launcher.close();
  }
}
