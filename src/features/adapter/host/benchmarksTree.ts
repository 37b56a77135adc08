/** Benchmarks in the view Data: evaluations, the built-in domain, the workspace's adapters, and the extension's. */
import * as vscode from 'vscode';
import type { TreePart } from '../../../host/trees/foldedTrees.ts';
import { count } from '../../../shared/text/figures/numbers.ts';
import { icons } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import type { DataGlance } from '../../../launch/adapters/lookAtData.ts';
import type { EvaluationHead } from '../../evaluation/node/evaluations.ts';
import { evaluationItem, evaluationsItem } from '../../evaluation/host/evaluationItems.ts';
import type { Evaluations } from '../../evaluation/host/evaluations.ts';
import type { AdapterFile, AdapterFiles } from '../../../host/files/adapterFiles.ts';

export type BenchmarkNode =
  /** Above all that can be solved. */
  | { readonly kind: 'benchmarks' }
  | { readonly kind: 'builtIn' }
  | { readonly kind: 'adapter'; readonly file: AdapterFile }
  /** Evaluations. */
  | { readonly kind: 'evaluations'; readonly heads: readonly EvaluationHead[] }
  | { readonly kind: 'evaluation'; readonly head: EvaluationHead; readonly running: boolean };

const root: BenchmarkNode = { kind: 'benchmarks' };

export class BenchmarksProvider implements TreePart<BenchmarkNode>, vscode.Disposable {
  readonly #files: AdapterFiles;
  readonly #evaluations: Evaluations;
  readonly #changed = new vscode.EventEmitter<BenchmarkNode | undefined>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(files: AdapterFiles, evaluations: Evaluations) {
    this.#files = files;
    this.#evaluations = evaluations;
    this.#subscription = vscode.Disposable.from(
      files.onDidChange(() => this.#changed.fire(root)),
      evaluations.onDidChange(() => this.#changed.fire(undefined)),
    );
  }

  async getChildren(node?: BenchmarkNode): Promise<BenchmarkNode[]> {
    if (node?.kind === 'evaluations') {
      return node.heads.map((head): BenchmarkNode => {
        return { kind: 'evaluation', head, running: this.#evaluations.isRunning(head.folder) };
      });
    }
    if (node === undefined) {
      const heads = await this.#evaluations.list();
      return heads.length === 0 ? [root] : [{ kind: 'evaluations', heads }, root];
    }
    if (node.kind !== 'benchmarks') return [];
    // A person's own come before those that are always there.
    const files = (await this.#files.list()).toSorted((a, b) => Number(a.shipped) - Number(b.shipped));
    const adapters = files.map((file): BenchmarkNode => ({ kind: 'adapter', file }));
    return [{ kind: 'builtIn' }, ...adapters];
  }

  getParent({ kind }: BenchmarkNode): BenchmarkNode | null {
    return kind === 'builtIn' || kind === 'adapter' ? root : null;
  }

  getTreeItem(node: BenchmarkNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    switch (node.kind) {
      case 'benchmarks':
        return benchmarksItem();
      case 'builtIn':
        return builtIn();
      case 'adapter':
        return adapter(node.file);
      case 'evaluations':
        return evaluationsItem(node.heads.length);
      case 'evaluation':
        return evaluationItem(node.head, node.running);
    }
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

function benchmarksItem(): vscode.TreeItem {
  const label = vscode.l10n.t('Benchmarks');
  const item = treeItem({
    ...{ id: 'benchmarks', label, icon: new vscode.ThemeIcon('beaker') },
    ...{ spoken: [label], context: 'benchmarks', children: true },
  });
  item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
  return item;
}

async function builtIn(): Promise<vscode.TreeItem> {
  const { maxBaseTasks, maxValidationTasks } = await import('../../../benchmarks/storekeeper/seeds.ts');
  const description = vscode.l10n.t(
    'built in · {0} base, {1} held-out tasks',
    count(maxBaseTasks),
    count(maxValidationTasks),
  );
  const item = treeItem({
    id: 'storekeeper',
    label: 'storekeeper',
    description,
    icon: new vscode.ThemeIcon('package'),
    spoken: [vscode.l10n.t('Domain storekeeper'), description],
    context: 'benchmark.builtIn',
  });
  item.tooltip = vscode.l10n.t(
    'A small shop’s tool calls: a menu names the functions, a request asks for steps, the answer is the calls that carry them out. Every task is checked by executing it.',
  );
  return item;
}

function adapter({ uri, shipped, name, problem, data, adapter: read }: AdapterFile): vscode.TreeItem {
  const path = shipped ? vscode.l10n.t('comes with GenEnv') : vscode.workspace.asRelativePath(uri);
  const wrong = problem === null ? null : vscode.l10n.t('line {0}: {1}', problem.line + 1, problem.message);
  const state = wrong ?? dataState(data);
  const whole = typeof data === 'object' && data !== null && data.missing.length === 0 && !isOff(data);
  const item = treeItem({
    id: uri.toString(),
    label: name,
    description: `${state} · ${path}`,
    icon: problem !== null ? icons.problem : new vscode.ThemeIcon(whole ? 'beaker' : 'beaker-stop'),
    spoken: [vscode.l10n.t('Benchmark adapter {0}', name), path, state],
    context: problem !== null ? 'benchmark.broken' : shipped ? 'benchmark.shipped' : 'benchmark.adapter',
    command: { command: 'vscode.open', title: vscode.l10n.t('Open Adapter'), arguments: [uri] },
  });
  item.resourceUri = uri;
  item.tooltip = [path, read?.description, state, ...(whole || problem !== null ? [] : [read?.data.obtain])]
    .filter((line) => line !== undefined)
    .join('\n');
  return item;
}

const isOff = ({ records, expected }: DataGlance): boolean =>
  records !== null && expected !== null && records !== expected;

function dataState(data: AdapterFile['data']): string {
  if (data === null) return vscode.l10n.t('no data folder chosen');
  if (typeof data === 'string') return data;
  const { files, records, expected, missing } = data;
  const counted =
    records === null
      ? vscode.l10n.t('{0} files', count(files))
      : expected !== null && expected !== records
        ? vscode.l10n.t('{0} of {1} records', count(records), count(expected))
        : vscode.l10n.t('{0} records', count(records));
  return missing.length === 0 ? counted : `${counted} · ${vscode.l10n.t('missing: {0}', missing.join(', '))}`;
}
