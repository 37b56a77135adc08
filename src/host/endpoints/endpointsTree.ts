/** The Endpoints tree: where policies live, what they can do, and which runs use them. */
import * as vscode from 'vscode';
import { embeddedAssets, type EmbeddedAssets } from '../../backends/embedded/assets.ts';
import type { EmbeddedModel } from '../../backends/embedded/describe.ts';
import type { Failures } from '../feedback/failures.ts';
import type { KnownRun, RunCatalog, RunDir, RunService } from '../runs/runs.ts';
import { factItem, failureItem } from '../trees/fact.ts';
import { count } from '../trees/figures.ts';
import { stateIcons } from '../trees/icons.ts';
import type { RunsTree } from '../trees/target.ts';
import { treeItem } from '../trees/treeItem.ts';
import { parts, stateWord } from '../trees/words.ts';

type Role = 'agent' | 'environment';
type EndpointNode =
  | { readonly kind: 'embedded' | 'capabilities' | 'users' }
  | { readonly kind: 'model'; readonly role: Role }
  | { readonly kind: 'user'; readonly run: RunDir }
  | { readonly kind: 'fact'; readonly of: string; readonly name: string; readonly value: string }
  | { readonly kind: 'failure'; readonly of: string; readonly error: Error };

export interface EndpointsDeps {
  catalog: RunCatalog;
  service: Pick<RunService, 'active'>;
  runsTree: RunsTree;
  failures: Failures;
  /** The folder of built files. */
  dist: URL;
}

/** Fills the view "Endpoints". */
export function registerEndpoints(context: vscode.ExtensionContext, deps: EndpointsDeps): void {
  const provider = new EndpointsProvider(deps, embeddedAssets(deps.dist));
  const view = vscode.window.createTreeView('genenv.endpoints', { treeDataProvider: provider });
  const reveal = vscode.commands.registerCommand('genenv.showInRuns', (run: unknown) =>
    deps.failures.guard(vscode.l10n.t('The run was not shown'), async () => {
      if (typeof run === 'string') await deps.runsTree.reveal({ run });
    }),
  );
  context.subscriptions.push(view, provider, reveal);
}

const embedded: EndpointNode = { kind: 'embedded' };
const capabilities: EndpointNode = { kind: 'capabilities' };
const users: EndpointNode = { kind: 'users' };
const models: readonly EndpointNode[] = [
  { kind: 'model', role: 'agent' },
  { kind: 'model', role: 'environment' },
];

class EndpointsProvider implements vscode.TreeDataProvider<EndpointNode>, vscode.Disposable {
  readonly #catalog: RunCatalog;
  readonly #service: Pick<RunService, 'active'>;
  readonly #assets: EmbeddedAssets;
  readonly #described = new Map<Role, Promise<EmbeddedModel>>();
  readonly #changed = new vscode.EventEmitter<EndpointNode | undefined>();
  readonly #subscriptions: vscode.Disposable;
  #drawn = '';
  readonly onDidChangeTreeData = this.#changed.event;

  constructor({ catalog, service }: Pick<EndpointsDeps, 'catalog' | 'service'>, assets: EmbeddedAssets) {
    this.#catalog = catalog;
    this.#service = service;
    this.#assets = assets;
    this.#subscriptions = vscode.Disposable.from(
      catalog.onDidChangeList(() => this.#changed.fire(embedded)),
      catalog.onDidChangeRuns(() => this.#drawUsers()),
    );
  }

  async getChildren(node?: EndpointNode): Promise<EndpointNode[]> {
    if (node === undefined) return [embedded];
    switch (node.kind) {
      case 'embedded':
        return [...models, capabilities, users];
      case 'model':
        return this.#orFailure(node.role, async () => modelFacts(node.role, await this.#model(node.role)));
      case 'capabilities':
        return this.#orFailure('capabilities', async () => capabilityFacts(await this.#model('agent')));
      case 'users':
        return this.#users().map(({ dir }) => ({ kind: 'user', run: dir }));
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
        return branch('users', vscode.l10n.t('Used by'), this.#usersText(), 'history');
      case 'user':
        return this.#userItem(node.run);
      case 'fact':
        return factItem(`${node.of}/${node.name}`, node.name, node.value);
      case 'failure':
        return failureItem(`${node.of}/failure`, node.error);
    }
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #embedded(): vscode.TreeItem {
    const label = vscode.l10n.t('Embedded');
    const live = this.#users().filter(({ writer }) => writer !== null).length;
    const description =
      live === 0
        ? vscode.l10n.t('on this machine · idle')
        : vscode.l10n.t('on this machine · {0} running', count(live));
    const item = treeItem({
      id: 'embedded',
      label,
      description,
      icon: new vscode.ThemeIcon('vm'),
      spoken: [vscode.l10n.t('Embedded endpoint'), description],
      context: 'endpoint.embedded',
      children: true,
    });
    item.tooltip = vscode.l10n.t('Two small language models with real gradients: no GPU, no key, no network.');
    item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
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

  #userItem(run: RunDir): vscode.TreeItem {
    const known = this.#catalog.get(run);
    const label = known?.head.name ?? run;
    const description = parts(known === undefined ? '' : stateWord(known.head.state), this.#versions(run));
    return treeItem({
      id: `user ${run}`,
      label,
      description,
      icon: stateIcons[known?.head.state ?? 'finished'],
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

  /** Every run there is today has its policies there. */
  #users(): readonly KnownRun[] {
    return this.#catalog.runs;
  }

  #usersText(): string {
    const { length } = this.#users();
    return length === 1 ? vscode.l10n.t('1 run') : vscode.l10n.t('{0} runs', count(length));
  }

  /** Only states and weights matter here. */
  #drawUsers(): void {
    const states = this.#users()
      .map(({ dir, head }) => `${dir} ${head.state} ${this.#versions(dir)}`)
      .join();
    if (states === this.#drawn) return;
    this.#drawn = states;
    this.#changed.fire(embedded);
  }

  #model(role: Role): Promise<EmbeddedModel> {
    const known = this.#described.get(role) ?? this.#describe(role);
    this.#described.set(role, known);
    return known;
  }

  async #describe(role: Role): Promise<EmbeddedModel> {
    const { describeModel } = await import('../../backends/embedded/describe.ts');
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

const branch = (id: string, label: string, description: string, icon: string): vscode.TreeItem =>
  treeItem({
    id,
    label,
    description,
    icon: new vscode.ThemeIcon(icon),
    spoken: [label, description],
    context: 'endpoint.part',
    children: true,
  });

const facts = (of: string, rows: readonly (readonly [string, string])[]): EndpointNode[] =>
  rows.map(([name, value]) => ({ kind: 'fact', of, name, value }));

function modelFacts(role: Role, { config, precision, bytes, version }: EmbeddedModel): EndpointNode[] {
  const { layers, width, heads, vocabulary } = config;
  return facts(role, [
    [vscode.l10n.t('Shape'), vscode.l10n.t('{0} layers, width {1}, {2} heads', layers, width, heads)],
    [vscode.l10n.t('Vocabulary'), vscode.l10n.t('{0} words', count(vocabulary))],
    [vscode.l10n.t('Weights'), vscode.l10n.t('{0}, {1} kB, version {2}', precision, count(bytes / 1024), version)],
  ]);
}

async function capabilityFacts({ capabilities }: EmbeddedModel): Promise<EndpointNode[]> {
  const { losses, maxContext, concurrency, deterministic } = capabilities;
  const { kernelWidth } = await import('../../backends/embedded/describe.ts');
  return facts('capabilities', [
    [vscode.l10n.t('Training'), vscode.l10n.t('step by step, in a thread of its own')],
    [vscode.l10n.t('Losses'), losses.join(', ')],
    [vscode.l10n.t('Log-probabilities of given text'), vscode.l10n.t('yes')],
    [vscode.l10n.t('Context'), vscode.l10n.t('{0} tokens', count(maxContext))],
    [vscode.l10n.t('In flight'), vscode.l10n.t('{0} requests', count(concurrency))],
    [vscode.l10n.t('Same seed, same answer'), deterministic ? vscode.l10n.t('yes') : vscode.l10n.t('no')],
    [vscode.l10n.t('Kernels'), vscode.l10n.t('WebAssembly, {0}-bit vectors', kernelWidth())],
  ]);
}
