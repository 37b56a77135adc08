/** Actions on remembered endpoints: on the chosen row, else on one from a picker. */
import * as vscode from 'vscode';
import { addressesText, type RemoteEndpoint } from '../../../launch/access/address.ts';
import { endpointDefaults } from '../../../shared/experiment/endpoints/endpoint.ts';
import {
  moved,
  type RememberedEndpoint,
  type UnusableEndpoint,
} from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import { addEndpoint, checkEndpoint, keepEndpoint } from './addEndpoint.ts';
import { editEndpoint, renameEndpoint } from './editEndpoint.ts';
import type { EndpointsProvider } from './endpointsProvider.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import { allRemembered, changeRemembered, remembered } from '../../../host/servers/rememberedEndpoints.ts';
import { removeEndpoint } from './removeEndpoint.ts';
import { useEndpoint } from './useEndpoint.ts';
import type { UsedServer } from '../../../host/servers/usedEndpoints.ts';
import type { EndpointNode } from './endpointNode.ts';

type Node = EndpointNode | undefined;

export function manage(provider: Pick<EndpointsProvider, 'entryOf' | 'serverOf'>, keys: HostKeys) {
  const usable = async (node: Node, title: string): Promise<RememberedEndpoint | undefined> => {
    const entry = node === undefined ? null : provider.entryOf(node);
    if (entry !== null) return 'endpoint' in entry ? entry : undefined;
    return pick(remembered(), title);
  };
  const any = async (node: Node, title: string): Promise<RememberedEndpoint | UnusableEndpoint | undefined> =>
    (node === undefined ? null : provider.entryOf(node)) ?? pick(allRemembered(), title);
  return {
    /** The new one's name; undefined when it was given up. */
    add: () => addEndpoint(keys),
    keep: (server: UsedServer) => keepEndpoint(endpointAt(server)),
    check: async (name: string) => {
      const entry = remembered().find((one) => one.name === name);
      return entry === undefined ? null : checkEndpoint(name, entry.endpoint, keys);
    },
    /** Asks whether requests may go there; of those that wait for it where none was chosen. */
    allow: async (node: Node, waiting: readonly UsedServer[]) => {
      const chosen = node === undefined ? undefined : provider.serverOf(node);
      const server = chosen ?? (await pickWaiting(waiting));
      if (server === undefined) return;
      const { url, key } = server.address;
      for (const one of addressesText(url)) await (key === null ? keys.reach(one.url) : keys.find(key, one.url));
    },
    edit: async (node: Node) => {
      const entry = await usable(node, vscode.l10n.t('Which endpoint to edit?'));
      if (entry !== undefined) await editEndpoint(entry, keys);
    },
    rename: async (node: Node) => {
      const entry = await usable(node, vscode.l10n.t('Which endpoint to rename?'));
      if (entry !== undefined) await renameEndpoint(entry);
    },
    remove: async (node: Node) => {
      const entry = await any(node, vscode.l10n.t('Which endpoint to remove?'));
      if (entry !== undefined) await removeEndpoint(entry, keys);
    },
    move: async (node: Node, by: -1 | 1) => {
      const entry = await any(node, vscode.l10n.t('Which endpoint to move?'));
      if (entry === undefined) return;
      const to = entry.index + by;
      if (to < 0 || to >= allRemembered().length) return;
      await changeRemembered((entries) => moved(entries, entry.index, to));
    },
    use: async (node: Node) => {
      const entry = await usable(node, vscode.l10n.t('Which endpoint to use?'));
      if (entry !== undefined) await useEndpoint(entry);
    },
    evaluate: async (node: Node) => {
      const entry = await usable(node, vscode.l10n.t('Which endpoint to evaluate?'));
      if (entry === undefined) return;
      const { name, endpoint } = entry;
      await vscode.commands.executeCommand('genenv.evaluateOnBenchmark', { endpoint: { name, endpoint } });
    },
  };
}

/** Undefined when it was given up, or when there is none yet. */
async function pick<T extends RememberedEndpoint | UnusableEndpoint>(
  entries: readonly T[],
  title: string,
): Promise<T | undefined> {
  if (entries.length === 0) {
    const add = vscode.l10n.t('Add Endpoint…');
    const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('No endpoint is saved yet.'), add);
    if (chosen === add) await vscode.commands.executeCommand('genenv.addEndpoint');
    return undefined;
  }
  const items = entries.map((entry) => ({
    label: entry.name ?? vscode.l10n.t('Endpoint {0} of the settings', entry.index + 1),
    description: 'endpoint' in entry ? (addressesText(entry.endpoint.url)[0]?.text ?? '') : '',
    entry,
  }));
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, { title });
  return picked?.entry;
}

/** The known facts of a server that experiments use, as an endpoint of its own. */
function endpointAt({ address, models, users }: UsedServer): RemoteEndpoint {
  const { kind, url, key } = address;
  const [model = endpointDefaults[kind].model] = models;
  const same = users
    .flatMap(({ endpoints }) => [endpoints.agent, endpoints.environment])
    .find((endpoint) => endpoint.kind === kind && addressesText(endpoint.url).some((one) => one.url === url));
  if (same !== undefined && same.kind !== 'embedded') return same;
  switch (kind) {
    case 'tinker':
      return { ...endpointDefaults.tinker, url, key, model };
    case 'openai':
      return { ...endpointDefaults.openai, url, key, model };
    case 'verl':
      return { ...endpointDefaults.verl, url, key, model };
  }
}

/** Undefined when it was given up, or when none waits. */
async function pickWaiting(waiting: readonly UsedServer[]): Promise<UsedServer | undefined> {
  if (waiting.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No endpoint needs permission.'));
    return undefined;
  }
  const items = waiting.map((server) => ({
    label: server.text,
    description: server.address.key ?? vscode.l10n.t('without a key'),
    server,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which endpoint to allow?') }))?.server;
}
