/** The remote servers that experiments and runs use, each once, with who uses it. Pure. */
import { addressesText, isRemote, serversOf, type Address } from '../../launch/address.ts';
import type { Endpoint } from '../../shared/experiment/endpoint.ts';

interface Endpoints {
  agent: Endpoint;
  environment: Endpoint;
}

/** Someone whose policies live somewhere: an experiment file by its URI, or a run by its folder. */
export interface User {
  kind: 'file' | 'run';
  id: string;
  endpoints: Endpoints;
}

export interface UsedServer {
  /** The same for as long as somebody uses it. */
  id: string;
  /** For people: without user, key and query. */
  text: string;
  address: Address;
  /** Models that are used there. */
  models: readonly string[];
  users: readonly User[];
}

/** By address; whoever uses a server with a key counts before those without. */
export function usedServers(users: readonly User[]): UsedServer[] {
  const servers = new Map<string, UsedServer>();
  for (const user of users) {
    const remote = [user.endpoints.agent, user.endpoints.environment].filter(isRemote);
    for (const { kind, key, model, url: field } of remote.flatMap(serversOf)) {
      for (const { text, url } of addressesText(field)) {
        const id = `${kind} ${text}`;
        const known = servers.get(id);
        const address = { kind, url, key: known?.address.key ?? key };
        const models = [...new Set([...(known?.models ?? []), model])];
        const others = known?.users ?? [];
        servers.set(id, { id, text, address, models, users: others.includes(user) ? others : [...others, user] });
      }
    }
  }
  return [...servers.values()].sort((a, b) => a.text.localeCompare(b.text) || a.id.localeCompare(b.id));
}

/** Whether any policy lives inside this program. */
export const usesEmbedded = ({ endpoints: { agent, environment } }: Pick<User, 'endpoints'>): boolean =>
  !isRemote(agent) || !isRemote(environment);
