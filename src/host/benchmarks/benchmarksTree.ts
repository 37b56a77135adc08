/** The Benchmarks tree: the domain that is built in, and the adapters of the workspace. */
import * as vscode from 'vscode';
import { count } from '../trees/figures.ts';
import { icons } from '../trees/icons.ts';
import { treeItem } from '../trees/treeItem.ts';
import { AdapterFiles, type AdapterFile } from './adapterFiles.ts';

type BenchmarkNode = { readonly kind: 'builtIn' } | { readonly kind: 'adapter'; readonly file: AdapterFile };

/** Fills the view "Benchmarks". */
export function registerBenchmarks(context: vscode.ExtensionContext): void {
  const files = new AdapterFiles();
  const provider = new BenchmarksProvider(files);
  const view = vscode.window.createTreeView('genenv.benchmarks', { treeDataProvider: provider });
  context.subscriptions.push(view, provider, files);
}

class BenchmarksProvider implements vscode.TreeDataProvider<BenchmarkNode>, vscode.Disposable {
  readonly #files: AdapterFiles;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(files: AdapterFiles) {
    this.#files = files;
    this.#subscription = files.onDidChange(() => this.#changed.fire(undefined));
  }

  async getChildren(node?: BenchmarkNode): Promise<BenchmarkNode[]> {
    if (node !== undefined) return [];
    const files = await this.#files.list();
    return [{ kind: 'builtIn' }, ...files.map((file): BenchmarkNode => ({ kind: 'adapter', file }))];
  }

  getTreeItem(node: BenchmarkNode): vscode.TreeItem | Promise<vscode.TreeItem> {
    return node.kind === 'builtIn' ? builtIn() : adapter(node.file);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

async function builtIn(): Promise<vscode.TreeItem> {
  const { maxBaseTasks, maxValidationTasks } = await import('../../benchmarks/storekeeper/seeds.ts');
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

function adapter({ uri, name, problem }: AdapterFile): vscode.TreeItem {
  const path = vscode.workspace.asRelativePath(uri);
  const wrong = problem === null ? null : vscode.l10n.t('line {0}: {1}', problem.line + 1, problem.message);
  const item = treeItem({
    id: uri.toString(),
    label: name,
    description: wrong ?? path,
    icon: problem === null ? new vscode.ThemeIcon('beaker') : icons.problem,
    spoken: [vscode.l10n.t('Benchmark adapter {0}', name), path, wrong],
    context: problem === null ? 'benchmark.adapter' : 'benchmark.broken',
    command: { command: 'vscode.open', title: vscode.l10n.t('Open Adapter'), arguments: openArguments(uri, problem) },
  });
  item.resourceUri = uri;
  item.tooltip = wrong === null ? path : `${path}, ${wrong}`;
  return item;
}

function openArguments(uri: vscode.Uri, problem: AdapterFile['problem']): unknown[] {
  if (problem === null) return [uri];
  const at = new vscode.Position(problem.line, problem.column);
  return [uri, { selection: new vscode.Range(at, at) } satisfies vscode.TextDocumentShowOptions];
}
