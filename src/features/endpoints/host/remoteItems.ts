/** A remote server's rows: its state, its models, its load, and remedies for its faults. */
import * as vscode from 'vscode';
import { EndpointError } from '../../../endpoints/endpointError.ts';
import { addressesText, isAt, isWatchable, type Address } from '../../../launch/access/address.ts';
import { KeyError } from '../../../launch/access/keys.ts';
import type { ServerShare } from '../../../launch/policies/schedulers.ts';
import type { UnusableEndpoint } from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { percent } from '../../../shared/text/figures/shares.ts';
import { icons, stateIcons } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import { parts } from '../../../host/trees/words.ts';
import type { Facts } from './embeddedFacts.ts';
import type { Sight } from './serverWatch.ts';
import type { UsedServer } from '../../../host/servers/usedEndpoints.ts';

const kindWords: Readonly<Record<Address['kind'], () => string>> = {
  tinker: () => vscode.l10n.t('Tinker'),
  openai: () => vscode.l10n.t('OpenAI-compatible'),
  verl: () => vscode.l10n.t('verl jobs'),
};

/** Requests in flight at one server from runs of this window. */
export interface Share {
  inFlight: number;
  room: number;
  waiting: number;
}

/** Of all runs; null where none uses the server now. */
export function shareAt({ address }: Pick<UsedServer, 'address'>, shares: readonly ServerShare[]): Share | null {
  const here = shares.filter(({ urls }) =>
    urls.some((url) => addressesText(url).some((one) => isAt(address.url, one.text))),
  );
  if (here.length === 0) return null;
  const sum = (of: (load: ServerShare['load']) => number): number =>
    here.reduce((total, { load }) => total + of(load), 0);
  return {
    inFlight: sum(({ inFlight }) => inFlight),
    room: sum(({ room }) => room),
    waiting: sum(({ waiting }) => waiting),
  };
}

/** The server's own row. */
export function serverItem(
  server: UsedServer,
  sight: Sight | undefined,
  share: Share | null,
  allowed: boolean,
): vscode.TreeItem {
  const { id, text, address, remembered } = server;
  const description = parts(
    allowed ? stateOf(server, sight) : vscode.l10n.t('not allowed yet'),
    share === null || share.inFlight === 0 ? '' : vscode.l10n.t('{0} in flight', count(share.inFlight)),
    kindWords[address.kind](),
  );
  const item = treeItem({
    id: `server ${id}`,
    label: remembered?.name ?? text.replace(/^https?:\/\//, ''),
    description,
    icon:
      sight === undefined
        ? new vscode.ThemeIcon('server-environment')
        : sight.error === null
          ? stateIcons.finished
          : icons.problem,
    spoken: [vscode.l10n.t('Endpoint {0}', remembered?.name ?? text), description],
    context: [
      'server',
      ...(remembered === null ? [] : ['remembered']),
      ...(address.key?.startsWith('${secret:') === true ? ['secret'] : []),
      ...(allowed ? [] : ['toAllow']),
    ].join('.'),
    children: true,
  });
  item.tooltip = sight?.error?.message ?? text;
  return item;
}

function stateOf({ address }: UsedServer, sight: Sight | undefined): string {
  if (!isWatchable(address)) return vscode.l10n.t('asked when a job is sent');
  if (sight === undefined) return vscode.l10n.t('not asked yet');
  const { error } = sight;
  if (error === null) return vscode.l10n.t('reachable');
  if (KeyError.is(error)) return vscode.l10n.t('no key');
  if (EndpointError.is(error, 'credentials')) return vscode.l10n.t('key refused');
  return EndpointError.is(error, 'unreachable') ? vscode.l10n.t('does not answer') : vscode.l10n.t('fails');
}

/** An entry of the settings that cannot be used: it leads to where it stands. */
export function unusableItem({ index, name, problem }: UnusableEndpoint): vscode.TreeItem {
  const label = name ?? vscode.l10n.t('Endpoint {0} of the settings', index + 1);
  const item = treeItem({
    ...{ id: `unusable ${index}`, label, description: problem, icon: icons.problem },
    ...{ spoken: [vscode.l10n.t('Endpoint {0}', label), problem], context: 'unusable' },
    command: {
      command: 'workbench.action.openSettings',
      title: vscode.l10n.t('Open Settings'),
      arguments: ['genenv.endpoints'],
    },
  });
  item.tooltip = problem;
  return item;
}

/** The fault, with the remedy below it. */
export function troubleItem(server: UsedServer, error: Error): vscode.TreeItem {
  const remedy = EndpointError.is(error) || KeyError.is(error) ? error.remedy : '';
  const said =
    remedy !== '' && error.message.endsWith(remedy) ? error.message.slice(0, -remedy.length).trim() : error.message;
  const item = treeItem({
    id: `trouble ${server.id}`,
    label: remedy === '' ? said : remedy,
    description: remedy === '' ? '' : said.replace(`${server.text}: `, ''),
    icon: icons.problem,
    spoken: [said, remedy],
    context: 'trouble',
  });
  item.tooltip = error.message;
  return item;
}

/** Nothing is sent to it before a person allows it. */
export function permissionItem({ id, text, address: { key } }: UsedServer): vscode.TreeItem {
  const label = vscode.l10n.t('Allow Endpoint…');
  const description =
    key === null
      ? vscode.l10n.t('nothing is sent to {0} before you allow it', text)
      : vscode.l10n.t('{0} is not sent to {1} before you allow it', key, text);
  return treeItem({
    ...{ id: `permission ${id}`, label, description, icon: new vscode.ThemeIcon('unlock') },
    ...{ spoken: [label, description], context: 'permission' },
    command: { command: 'genenv.allowEndpoint', title: label, arguments: [{ kind: 'server', id }] },
  });
}

/** How it is, as names and values. */
export function serverFacts(
  server: UsedServer,
  sight: Sight | undefined,
  share: Share | null,
  versions: readonly string[],
): Facts {
  const look = sight?.look ?? null;
  const rows: (readonly [string, string])[] = [];
  if (look?.about !== null && look !== null) rows.push([vscode.l10n.t('It is'), look.about]);
  if (server.remembered !== null) rows.push([vscode.l10n.t('Address'), server.text]);
  for (const model of server.models) rows.push([model, modelWord(model, look)]);
  if (versions.length > 0) rows.push([vscode.l10n.t('Weights that runs sample now'), versions.join(', ')]);
  if (look?.load !== null && look !== null) {
    const { running, waiting, cache } = look.load;
    const queue = parts(
      vscode.l10n.t('{0} running', count(running)),
      waiting === null ? '' : vscode.l10n.t('{0} waiting', count(waiting)),
    );
    rows.push([vscode.l10n.t('Its queue'), queue]);
    if (cache !== null) rows.push([vscode.l10n.t('Its KV cache'), vscode.l10n.t('{0} in use', percent(cache))]);
  }
  if (share !== null) {
    const { inFlight, room, waiting } = share;
    const said = vscode.l10n.t('{0} in flight of {1}, {2} waiting', count(inFlight), count(room), count(waiting));
    rows.push([vscode.l10n.t('From this window'), said]);
  }
  if (look?.deterministic === true) rows.push([vscode.l10n.t('Same seed, same answer'), vscode.l10n.t('yes')]);
  rows.push([vscode.l10n.t('Key'), server.address.key ?? vscode.l10n.t('no key')]);
  return rows;
}

function modelWord(model: string, look: Sight['look']): string {
  if (look === null) return '';
  const served = look.models.find(({ name }) => name === model);
  if (served === undefined) return look.models.length === 0 ? '' : vscode.l10n.t('not served');
  const { context } = served;
  return context === null ? vscode.l10n.t('served') : vscode.l10n.t('served · context {0} tokens', count(context));
}

/** Everything it serves, as names and contexts. */
export const servedFacts = (sight: Sight | undefined): Facts =>
  (sight?.look?.models ?? []).map(({ name, context }) => [
    name,
    context === null ? '' : vscode.l10n.t('context {0} tokens', count(context)),
  ]);
