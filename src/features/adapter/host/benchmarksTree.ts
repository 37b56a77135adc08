/** The Benchmarks tree: the built-in domain, the extension's adapters, those of the workspace, and evaluations. */
import * as vscode from 'vscode';
import { count } from '../../../host/trees/figures.ts';
import { icons } from '../../../host/trees/icons.ts';
import { treeItem } from '../../../host/trees/treeItem.ts';
import type { DataGlance } from '../../../launch/adapters/lookAtData.ts';
import type { EvaluationHead } from '../../evaluation/node/evaluations.ts';
import { evaluationItem, evaluationsItem } from '../../evaluation/host/evaluationItems.ts';
import type { Evaluations } from '../../evaluation/host/evaluations.ts';
import type { AdapterFile, AdapterFiles } from '../../../host/files/adapterFiles.ts';

type BenchmarkNode =
  | { readonly kind: 'builtIn' }
  | { readonly kind: 'adapter'; readonly file: AdapterFile }
  /** Evaluations. */
  | { readonly kind: 'evaluations'; readonly heads: readonly EvaluationHead[] }
  | { readonly kind: 'evaluation'; readonly head: EvaluationHead; readonly running: boolean };

/** Fills the view "Benchmarks". */
export function benchmarksTree(files: AdapterFiles, evaluations: Evaluations): vscode.Disposable {
  const provider = new BenchmarksProvider(files, evaluations);
  const view = vscode.window.createTreeView('genenv.benchmarks', { treeDataProvider: provider });
  return vscode.Disposable.from(view, provider);
}

class BenchmarksProvider implements vscode.TreeDataProvider<BenchmarkNode>, vscode.Disposable {
  readonly #files: AdapterFiles;
  readonly #evaluations: Evaluations;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(files: AdapterFiles, evaluations: Evaluations) {
    this.#files = files;
    this.#evaluations = evaluations;
    this.#subscription = vscode.Disposable.from(
      files.onDidChange(() => this.#changed.fire(undefined)),
      evaluations.onDidChange(() => this.#changed.fire(undefined)),
    );
  }

  async getChildren(node?: BenchmarkNode): Promise<BenchmarkNode[]> {
    if (node?.kind === 'evaluations') {
      return node.heads.map((head): BenchmarkNode => {
        return { kind: 'evaluation', head, running: this.#evaluations.isRunning(head.folder) };
      });
    }
    if (node !== undefined) return [];
    // A person's own come before those that are always there.
    const files = (await this.#files.list()).toSorted((a, b) => Number(a.shipped) - Number(b.shipped));
    const adapters = files.map((file): BenchmarkNode => ({ kind: 'adapter', file }));
    const heads = await this.#evaluations.list();
    const evaluated: BenchmarkNode[] = heads.length === 0 ? [] : [{ kind: 'evaluations', heads }];
    return [...evaluated, { kind: 'builtIn' }, ...adapters];
  }

  getTreeItem(node: BenchmarkNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    switch (node.kind) {
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
