/** The data pools' part of the view Data, and the commands that open and export a pool. */
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import { domainsOf } from '../../../shared/experiment/tasks/domains.ts';
import { pickRun } from '../../../host/commands/pickRun.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunCatalog, RunDir } from '../../../host/runs/runs.ts';
import { failureItem } from '../../../host/trees/fact.ts';
import type { TreePart } from '../../../host/trees/foldedTrees.ts';
import type { OpenRun } from '../../../host/trees/openRun.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import type { AdmittedAttempt } from '../node/admitted.ts';
import { PooledAttempts } from './admitAttempt.ts';
import type { AdmitNeeds } from './changePool.ts';
import { ExportPreviews } from './exportPreviews.ts';
import { PoolDocuments } from './poolDocuments.ts';
import { poolFacts } from './poolFacts.ts';
import { admittedItem, factItem, factsOf, poolItem, poolsItem, runItem } from './poolItems.ts';
import type { PoolNode, PoolRunNode, PoolsNode, PoolsRootNode } from './poolNode.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

export interface PoolsDeps extends AdmitNeeds {
  catalog: RunCatalog;
  open: OpenRuns;
  failures: Failures;
  clock: Clock;
}

/** Registers the commands. @returns the pools, for the view Data */
export function registerPools(context: vscode.ExtensionContext, deps: PoolsDeps): TreePart<PoolsNode> {
  const { catalog, open, failures } = deps;
  const provider = new PoolsProvider(catalog, open);
  const attempts = new PooledAttempts(deps);
  const documents = new PoolDocuments(open);
  const previews = new ExportPreviews();
  const command = (name: string, failed: string, work: (argument: unknown) => Promise<void>) =>
    registerCommand(`genenv.${name}`, (argument: unknown) => failures.guard(failed, () => work(argument)));
  context.subscriptions.push(
    ...[provider, documents, previews, attempts],
    ...[attempts.onDidChangeCodeLenses(() => provider.again())],
    command('addToAgentPool', vscode.l10n.t('The attempt was not added to the agent pool'), (argument) =>
      attempts.add(argument),
    ),
    command('removeFromAgentPool', vscode.l10n.t('The attempt was not removed from the agent pool'), (argument) =>
      attempts.remove(argument),
    ),
    command('openPool', vscode.l10n.t('The pool was not opened'), (argument) => documents.open(argument)),
    command('exportPool', vscode.l10n.t('The pool was not exported'), async (argument) => {
      const run = await pickRun(deps, argument, {
        title: vscode.l10n.t('Export a pool of which run?'),
        fits: () => true,
        none: vscode.l10n.t('There are no runs yet.'),
      });
      if (run === undefined) return;
      const { runExport } = await import('./exportPool.ts');
      await runExport(run, await open.open(run.dir), argument, previews);
    }),
  );
  return provider;
}

const root = { kind: 'pools' } satisfies PoolsRootNode;
const pools = ['agent', 'environment', 'base'] as const;
/** A live run grows its pools once an epoch; heads change more often. */
const throttleMs = 500;

class PoolsProvider implements TreePart<PoolsNode>, vscode.Disposable {
  readonly #catalog: RunCatalog;
  readonly #open: OpenRuns;
  readonly #changed = new vscode.EventEmitter<PoolsNode[] | undefined>();
  readonly #runs = new Map<RunDir, PoolRunNode>();
  readonly #pools = new Map<RunDir, readonly PoolNode[]>();
  readonly #waiting = new Set<PoolsNode>();
  readonly #subscriptions: vscode.Disposable;
  #timer: NodeJS.Timeout | null = null;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(catalog: RunCatalog, open: OpenRuns) {
    this.#catalog = catalog;
    this.#open = open;
    const list = catalog.onDidChangeList(() => this.#changed.fire([root]));
    const heads = catalog.onDidChangeRuns((runs) => {
      for (const run of runs) this.#redraw(this.#runNode(run));
    });
    const stop = open.listen(({ run, events }) => {
      const grows = events.some(
        ({ type }) => type === 'pools.grown' || type === 'families.scored' || type === 'tasks.edited',
      );
      if (grows || events.length === 0) this.#redraw(this.#runNode(run));
    });
    this.#subscriptions = vscode.Disposable.from(list, heads, new vscode.Disposable(stop));
  }

  async getChildren(node?: PoolsNode): Promise<PoolsNode[]> {
    if (node === undefined) return [root];
    if (node.kind === 'pools') {
      await this.#catalog.ready;
      return this.#catalog.runs.map(({ dir }) => this.#runNode(dir));
    }
    if (node.kind === 'run') return [...this.#poolsOf(node)];
    if (node.kind === 'fact' || node.kind === 'admitted') return [];
    const run = await this.#open.open(node.run);
    const source = domainsOf(run.followed.manifest.experiment)
      .map(({ settings: { seeds, file, name } }) => seeds ?? vscode.l10n.t('the domain “{0}”', file ?? name))
      .join(', ');
    const facts = factsOf(node.pool, poolFacts(run.facts, run.followed.state), source);
    const rows = facts.map(([name, value]): PoolsNode => ({ kind: 'fact', run: node.run, name, value, parent: node }));
    if (node.pool !== 'agent') return rows;
    const people = await admittedOf(run);
    return [
      ...rows,
      ...people.map((attempt): PoolsNode => {
        return { kind: 'admitted', run: node.run, trace: attempt.trace, attempt, parent: node };
      }),
    ];
  }

  async getTreeItem(node: PoolsNode): Promise<vscode.TreeItem> {
    if (node.kind === 'fact') return factItem(node);
    if (node.kind === 'admitted') return admittedItem(node);
    if (node.kind === 'pools') {
      await this.#catalog.ready;
      return poolsItem(this.#catalog.runs.length);
    }
    const known = this.#catalog.get(node.run);
    if (known === undefined) return new vscode.TreeItem('');
    if (node.kind === 'run') return runItem(known);
    try {
      const run = await this.#open.open(node.run);
      const people = node.pool === 'agent' ? (await admittedOf(run)).length : 0;
      return poolItem(node, poolFacts(run.facts, run.followed.state), people);
    } catch (error) {
      return failureItem(`${node.run}#${node.pool}`, error instanceof Error ? error : new Error(String(error)));
    }
  }

  getParent(node: PoolsNode): PoolsNode | null {
    if (node.kind === 'pools') return null;
    return node.kind === 'run' ? root : node.parent;
  }

  expanded(node: PoolsNode, on: boolean): void {
    if (node.kind === 'run') this.#open.show(node.run, 'pools', on);
  }

  /** An attempt of a person came or went: it may wait in an inbox, of which no event tells. */
  again(): void {
    for (const nodes of this.#pools.values()) for (const node of nodes) if (node.pool === 'agent') this.#redraw(node);
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #runNode(run: RunDir): PoolRunNode {
    const node = this.#runs.get(run) ?? { kind: 'run', run };
    this.#runs.set(run, node);
    return node;
  }

  #poolsOf(parent: PoolRunNode): readonly PoolNode[] {
    const nodes =
      this.#pools.get(parent.run) ??
      pools.map((pool) => ({ kind: 'pool', run: parent.run, pool, parent }) satisfies PoolNode);
    this.#pools.set(parent.run, nodes);
    return nodes;
  }

  #redraw(node: PoolsNode): void {
    this.#waiting.add(node);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#changed.fire([...this.#waiting]);
      this.#waiting.clear();
    }, throttleMs);
  }
}

async function admittedOf({ facts, followed }: OpenRun): Promise<readonly AdmittedAttempt[]> {
  const { admittedBy } = await import('../node/admitted.ts');
  return admittedBy(facts.light, await followed.reader.inbox.waiting(), followed.manifest);
}
