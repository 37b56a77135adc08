/** Rows of the Endpoints tree: policies' endpoints, their capabilities, and the runs that use them. */
import * as vscode from 'vscode';
import type { EmbeddedAssets } from '../../../endpoints/embedded/assets.ts';
import type { EmbeddedModel } from '../../../endpoints/embedded/describe.ts';
import { addressesText, isRemote, isWatchable, serversOf } from '../../../launch/access/address.ts';
import type { Keys } from '../../../launch/access/keys.ts';
import type { RememberedEndpoint, UnusableEndpoint } from '../../../shared/experiment/endpoints/rememberedEndpoint.ts';
import type { RunCatalog, RunDir, RunService } from '../../../host/runs/runs.ts';
import { factItem, failureItem } from '../../../host/trees/fact.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { runIcon, stateIcons } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import { parts, stateWord } from '../../../host/trees/words.ts';
import { capabilityFacts, modelFacts } from './embeddedFacts.ts';
import { ExperimentEndpoints } from './experimentEndpoints.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import {
  permissionItem,
  servedFacts,
  serverFacts,
  serverItem,
  shareAt,
  troubleItem,
  unusableItem,
  type Share,
} from './remoteItems.ts';
import { branch, facts, fileItem, gone, usersText } from './rows.ts';
import { ServerWatch } from './serverWatch.ts';
import { shownServers, usesEmbedded, type UsedServer, type User } from '../../../host/servers/usedEndpoints.ts';
import type { EndpointNode, Role } from './endpointNode.ts';

export interface ProviderNeeds {
  catalog: RunCatalog;
  service: Pick<RunService, 'active' | 'onDidProgress'>;
  /** Keys for automatic checks of servers, which never prompt the user. */
  keys: Keys;
  asking: Pick<HostKeys, 'allows'>;
}

const embedded: EndpointNode = { kind: 'embedded' };
const capabilities: EndpointNode = { kind: 'capabilities' };
const models: readonly EndpointNode[] = [
  { kind: 'model', role: 'agent' },
  { kind: 'model', role: 'environment' },
];

export class EndpointsProvider implements vscode.TreeDataProvider<EndpointNode>, vscode.Disposable {
  readonly #catalog: RunCatalog;
  readonly #service: ProviderNeeds['service'];
  readonly #asking: ProviderNeeds['asking'];
  readonly #assets: EmbeddedAssets;
  readonly #described = new Map<Role, Promise<EmbeddedModel>>();
  readonly #changed = new vscode.EventEmitter<EndpointNode | undefined>();
  readonly #files = new ExperimentEndpoints();
  readonly #watch: ServerWatch;
  readonly #subscriptions: vscode.Disposable;
  readonly #nodes = new Map<string, EndpointNode>();
  #servers: readonly UsedServer[] = [];
  /** Entries of the settings, by their place there. */
  #entries: readonly (RememberedEndpoint | UnusableEndpoint)[] = [];
  #shown = false;
  #drawn = '';
  #loads = '';
  readonly onDidChangeTreeData = this.#changed.event;

  constructor({ catalog, service, keys, asking }: ProviderNeeds, assets: EmbeddedAssets) {
    this.#catalog = catalog;
    this.#service = service;
    this.#asking = asking;
    this.#assets = assets;
    this.#watch = new ServerWatch({
      // The code of servers is loaded with the first one that is checked.
      look: async (address, own, signal) =>
        (await import('../../../launch/policies/lookAt.ts')).lookAt(address, own, signal),
      keys,
      now: () => performance.now(),
      onChange: (id) => this.#changed.fire(this.#node(id)),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.#files,
      this.#files.onDidChange(() => this.#findServers()),
      catalog.onDidChangeList(() => this.#findServers()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('genenv.endpoints')) void this.#readSettings().then(() => this.refresh());
      }),
      catalog.onDidChangeRuns(() => this.#drawUsers()),
      service.onDidProgress(() => this.#drawLoads()),
    );
  }

  /** Checks servers while the view is visible. */
  show(shown: boolean): void {
    this.#shown = shown;
    const watched = ({ address }: UsedServer): boolean => isWatchable(address) && this.#asking.allows(address);
    this.#watch.watch(shown ? this.#servers.filter(watched) : []);
  }

  refresh(): void {
    this.#servers = this.#allServers();
    this.show(this.#shown);
    for (const { id } of this.#servers) void this.#watch.refresh(id);
    this.#changed.fire(undefined);
  }

  serverOf(node: EndpointNode): UsedServer | undefined {
    return node.kind === 'server' ? this.#server(node.id) : undefined;
  }

  /** Servers without requests because the user has not consented yet. */
  toAllow(): UsedServer[] {
    return this.#servers.filter(({ address }) => !this.#asking.allows(address));
  }

  /** The settings' entry of a row. */
  entryOf(node: EndpointNode): RememberedEndpoint | UnusableEndpoint | null {
    if (node.kind === 'unusable') return this.#entries[node.index] ?? null;
    return this.serverOf(node)?.remembered ?? null;
  }

  /** The row of a remembered endpoint, once it is drawn. */
  rowOf(name: string): EndpointNode | null {
    const server = this.#servers.find(({ remembered }) => remembered?.name === name);
    return server === undefined ? null : this.#node(server.id);
  }

  /** Resolves when the rows are those of the settings as they are now. */
  async settled(): Promise<void> {
    await this.#readSettings();
    this.refresh();
  }

  /** Only roots are ever shown from outside. */
  getParent(): undefined {
    return undefined;
  }

  async getChildren(node?: EndpointNode): Promise<EndpointNode[]> {
    if (node === undefined) {
      await Promise.all([this.#files.ready(), this.#catalog.ready, this.#readSettings()]);
      this.#servers = this.#allServers();
      this.show(this.#shown);
      return this.#roots();
    }
    switch (node.kind) {
      case 'embedded':
        return [...models, capabilities, { kind: 'users', of: 'embedded' }];
      case 'model':
        return this.#orFailure(node.role, async () => facts(node.role, modelFacts(await this.#model(node.role))));
      case 'capabilities':
        return this.#orFailure('capabilities', async () =>
          facts('capabilities', await capabilityFacts(await this.#model('agent'))),
        );
      case 'server':
        return this.#serverChildren(node.id);
      case 'served':
        return facts(`served ${node.id}`, servedFacts(this.#watch.sight(node.id)));
      case 'users':
        return this.#users(node.of).map((user) => ({ kind: 'user', of: node.of, user }));
      default:
        return [];
    }
  }

  async getTreeItem(node: EndpointNode): Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'embedded':
        return this.#embedded();
      case 'model':
        return this.#modelItem(node.role);
      case 'capabilities':
        return branch('capabilities', vscode.l10n.t('Capabilities'), '', 'checklist');
      case 'users':
        return branch(`users ${node.of}`, vscode.l10n.t('Used by'), usersText(this.#users(node.of)), 'history');
      case 'user':
        return node.user.kind === 'run' ? this.#runItem(node.of, node.user.id) : fileItem(node.of, node.user.id);
      case 'server': {
        const server = this.#server(node.id);
        return server === undefined
          ? gone(node.id)
          : serverItem(server, this.#watch.sight(node.id), this.#share(server), this.#asking.allows(server.address));
      }
      case 'permission': {
        const server = this.#server(node.id);
        return server === undefined ? gone(node.id) : permissionItem(server);
      }
      case 'trouble': {
        const server = this.#server(node.id);
        const error = this.#watch.sight(node.id)?.error ?? null;
        return server === undefined || error === null ? gone(node.id) : troubleItem(server, error);
      }
      case 'served': {
        const { length } = servedFacts(this.#watch.sight(node.id));
        return branch(`served ${node.id}`, vscode.l10n.t('Models it serves'), count(length), 'list-unordered');
      }
      case 'unusable': {
        const entry = this.#entries[node.index];
        return entry !== undefined && 'problem' in entry ? unusableItem(entry) : gone(String(node.index));
      }
      case 'fact':
        return factItem(`${node.of}/${node.name}`, node.name, node.value);
      case 'failure':
        return failureItem(`${node.of}/failure`, node.error);
    }
  }

  dispose(): void {
    this.#watch.stop();
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #embedded(): vscode.TreeItem {
    const label = vscode.l10n.t('Embedded');
    const runs = this.#users('embedded').filter(({ kind }) => kind === 'run');
    const live = runs.filter(({ id }) => (this.#catalog.get(id)?.writer ?? null) !== null).length;
    const description =
      live === 0
        ? vscode.l10n.t('on this machine · idle')
        : vscode.l10n.t('on this machine · {0} running', count(live));
    const item = treeItem({
      // A row that is known keeps the state it had: alone and beside servers it is another row.
      id: this.#servers.length === 0 ? 'embedded' : 'embedded beside servers',
      label,
      description,
      icon: new vscode.ThemeIcon('vm'),
      spoken: [vscode.l10n.t('Embedded endpoint'), description],
      context: 'endpoint.embedded',
      children: true,
    });
    item.tooltip = vscode.l10n.t('Two small language models with real gradients: no GPU, no key, no network.');
    // Where there are servers, they matter most.
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    item.collapsibleState = this.#servers.length === 0 ? Expanded : Collapsed;
    return item;
  }

  async #modelItem(role: Role): Promise<vscode.TreeItem> {
    const label = role === 'agent' ? vscode.l10n.t('Agent model') : vscode.l10n.t('Environment model');
    try {
      const { parameters, version } = await this.#model(role);
      const description = parts(
        vscode.l10n.t('{0} parameters', count(parameters)),
        vscode.l10n.t('weights {0}', version),
      );
      return branch(role, label, description, role === 'agent' ? 'hubot' : 'globe');
    } catch (error) {
      return failureItem(role, error instanceof Error ? error : new Error(String(error)));
    }
  }

  #runItem(of: string, run: RunDir): vscode.TreeItem {
    const known = this.#catalog.get(run);
    const label = known?.head.name ?? run;
    const description = parts(known === undefined ? '' : stateWord(known.head.state), this.#versions(run));
    return treeItem({
      id: `user ${of} ${run}`,
      label,
      description,
      icon: known === undefined ? stateIcons.finished : runIcon(known.head),
      spoken: [vscode.l10n.t('Run {0}', label), description],
      context: 'user',
      command: { command: 'genenv.showInRuns', title: vscode.l10n.t('Show in Runs'), arguments: [run] },
    });
  }

  /** The weights that a run of this window samples from now. */
  #versions(run: RunDir): string {
    const state = this.#service.active.get(run)?.state;
    return [state?.agent, state?.environment].flatMap((learner) => learner?.version.name ?? []).join(', ');
  }

  /** Every experiment file and run, with where its policies live. */
  #everyone(): User[] {
    const runs = this.#catalog.runs.map(({ dir, head }): User => ({ kind: 'run', id: dir, endpoints: head.endpoints }));
    return [...this.#files.users, ...runs];
  }

  #users(of: string): readonly User[] {
    if (of === 'embedded') return this.#everyone().filter(usesEmbedded);
    return this.#server(of)?.users ?? [];
  }

  /** A row is drawn again by the very node that it was drawn from. */
  #node(id: string): EndpointNode {
    const node = this.#nodes.get(id) ?? { kind: 'server', id };
    this.#nodes.set(id, node);
    return node;
  }

  #server(id: string): UsedServer | undefined {
    return this.#servers.find((server) => server.id === id);
  }

  #serverChildren(id: string): EndpointNode[] {
    const server = this.#server(id);
    if (server === undefined) return [];
    const sight = this.#watch.sight(id);
    const more = (sight?.look?.models.length ?? 0) > server.models.length;
    return [
      ...(this.#asking.allows(server.address) ? [] : [{ kind: 'permission', id } as const]),
      ...(sight === undefined || sight.error === null ? [] : [{ kind: 'trouble', id } as const]),
      ...facts(id, serverFacts(server, sight, this.#share(server), this.#versionsAt(server))),
      ...(more ? [{ kind: 'served', id } as const] : []),
      { kind: 'users', of: id },
    ];
  }

  #share(server: UsedServer): Share | null {
    return shareAt(
      server,
      [...this.#service.active.values()].flatMap(({ loads }) => loads),
    );
  }

  /** The weights that runs of this window sample from there now. */
  #versionsAt({ address }: UsedServer): string[] {
    const here = addressesText(address.url).map(({ text }) => text);
    const versions = [...this.#service.active.values()].flatMap(({ state, experiment: { endpoints } }) =>
      (['agent', 'environment'] as const).flatMap((role) => {
        const endpoint = endpoints[role];
        const servers = isRemote(endpoint) ? serversOf(endpoint) : [];
        const there = servers.some(
          ({ kind, url }) => kind === address.kind && addressesText(url).some(({ text }) => here.includes(text)),
        );
        return there ? (state[role]?.version.name ?? []) : [];
      }),
    );
    return [...new Set(versions)];
  }

  async #readSettings(): Promise<void> {
    const { allRemembered } = await import('../../../host/servers/rememberedEndpoints.ts');
    this.#entries = allRemembered();
  }

  #allServers(): UsedServer[] {
    const remembered = this.#entries.filter((entry) => 'endpoint' in entry);
    return shownServers(this.#everyone(), remembered);
  }

  /** Draws the whole tree again when servers came or went. */
  #findServers(): void {
    const before = this.#servers.map(({ id }) => id).join();
    this.#servers = this.#allServers();
    const same = before === this.#servers.map(({ id }) => id).join();
    this.show(this.#shown);
    if (!same) this.#changed.fire(undefined);
    else for (const node of this.#roots()) this.#changed.fire(node);
  }

  #roots(): EndpointNode[] {
    const unusable = this.#entries.flatMap((entry) =>
      'problem' in entry ? [{ kind: 'unusable', index: entry.index } as const] : [],
    );
    return [embedded, ...this.#servers.map(({ id }) => this.#node(id)), ...unusable];
  }

  /** Only states and weights matter here. */
  #drawUsers(): void {
    const states = this.#catalog.runs.map(({ dir, head }) => `${dir} ${head.state} ${this.#versions(dir)}`).join();
    if (states === this.#drawn) return;
    this.#drawn = states;
    for (const node of this.#roots()) this.#changed.fire(node);
  }

  #drawLoads(): void {
    if (!this.#shown) return;
    const shares = this.#servers.map((server) => this.#share(server));
    const loads = JSON.stringify(shares);
    if (loads === this.#loads) return;
    this.#loads = loads;
    for (const [i, { id }] of this.#servers.entries()) if (shares[i] !== null) this.#changed.fire(this.#node(id));
  }

  #model(role: Role): Promise<EmbeddedModel> {
    const known = this.#described.get(role) ?? this.#describe(role);
    this.#described.set(role, known);
    return known;
  }

  async #describe(role: Role): Promise<EmbeddedModel> {
    const { describeModel } = await import('../../../endpoints/embedded/describe.ts');
    return describeModel(role, this.#assets);
  }

  async #orFailure(of: string, read: () => Promise<EndpointNode[]>): Promise<EndpointNode[]> {
    try {
      return await read();
    } catch (error) {
      return [{ kind: 'failure', of, error: error instanceof Error ? error : new Error(String(error)) }];
    }
  }
}
