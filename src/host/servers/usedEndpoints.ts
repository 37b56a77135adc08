/** The remote servers that experiments and runs use, each once, with its users. Pure. */
import { addressesText, isRemote, serversOf, type Address } from '../../launch/access/address.ts';
import type { Endpoint } from '../../shared/experiment/endpoints/endpoint.ts';
import type { RememberedEndpoint } from '../../shared/experiment/endpoints/rememberedEndpoint.ts';

interface Endpoints {
  agent: Endpoint;
  environment: Endpoint;
}

/** A user of endpoints: an experiment file by its URI, or a run by its folder. */
export interface User {
  kind: 'file' | 'run';
  id: string;
  endpoints: Endpoints;
}

export interface UsedServer {
  /** Constant while it is in use. */
  id: string;
  /** For people: without user, key and query. */
  text: string;
  address: Address;
  /** Models that are used there. */
  models: readonly string[];
  users: readonly User[];
  /** Null for used servers that are not remembered. */
  remembered: RememberedEndpoint | null;
}

/** By address; users with a key come before those without. */
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
        servers.set(id, {
          id,
          text,
          address,
          models,
          users: others.includes(user) ? others : [...others, user],
          remembered: null,
        });
      }
    }
  }
  return [...servers.values()].sort((a, b) => a.text.localeCompare(b.text) || a.id.localeCompare(b.id));
}

/** The remembered ones in their order, each separately; then further servers of experiments and runs. */
export function shownServers(users: readonly User[], remembered: readonly RememberedEndpoint[]): UsedServer[] {
  const used = usedServers(users);
  const own = remembered.map((entry): UsedServer => {
    const { kind, url, key, model } = entry.endpoint;
    const texts = addressesText(url).map(({ text }) => text);
    const here = used.filter((server) => server.address.kind === kind && texts.includes(server.text));
    return {
      id: `named ${entry.name}`,
      text: texts.join(', '),
      address: { kind, url, key },
      models: [model],
      users: [...new Set(here.flatMap((server) => server.users))],
      remembered: entry,
    };
  });
  const covered = (server: UsedServer): boolean =>
    own.some(({ address, text }) => address.kind === server.address.kind && text.split(', ').includes(server.text));
  return [...own, ...used.filter((server) => !covered(server))];
}

/** Whether any policy lives inside this program. */
export const usesEmbedded = ({ endpoints: { agent, environment } }: Pick<User, 'endpoints'>): boolean =>
  !isRemote(agent) || !isRemote(environment);
