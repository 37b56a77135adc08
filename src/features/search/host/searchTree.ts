/** The view "Trace Search", in the panel once something was searched: hits as they arrive. */
import * as vscode from 'vscode';
import { once } from '../../../host/once.ts';
import type { SearchNode } from './searchNodes.ts';
import type { TraceSearch } from './traceSearch.ts';

export class SearchTree implements vscode.TreeDataProvider<SearchNode>, vscode.Disposable {
  readonly #search: TraceSearch;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #view: vscode.TreeView<SearchNode>;
  readonly #subscription: vscode.Disposable;
  /** Loaded with the first search. */
  readonly #drawing = once(async () => {
    const [{ nodesOf, childrenOf }, { itemOf }, { foundWords }] = await Promise.all([
      import('./searchNodes.ts'),
      import('./searchItems.ts'),
      import('./searchWords.ts'),
    ]);
    return { nodesOf, childrenOf, itemOf, foundWords };
  });
  #searching: { number: number; done: () => void } | null = null;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(search: TraceSearch) {
    this.#search = search;
    this.#view = vscode.window.createTreeView('genenv.search', { treeDataProvider: this, showCollapseAll: true });
    this.#subscription = search.onDidChange(() => this.#update());
  }

  async getChildren(node?: SearchNode): Promise<SearchNode[]> {
    const { current } = this.#search;
    if (current === null) return [];
    const { nodesOf, childrenOf } = await this.#drawing();
    return node === undefined ? (current.hits.length === 0 ? [] : [nodesOf(current)]) : childrenOf(node);
  }

  async getTreeItem(node: SearchNode): Promise<vscode.TreeItem> {
    const { itemOf } = await this.#drawing();
    return itemOf(node, this.#search.current?.hits.length ?? 0);
  }

  /** Opens the view, which is there from the first search on. */
  async show(): Promise<void> {
    await vscode.commands.executeCommand('setContext', 'genenv.searched', true);
    await vscode.commands.executeCommand('genenv.search.focus');
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#view.dispose();
    this.#changed.dispose();
    this.#searching?.done();
  }

  #update(): void {
    const { current } = this.#search;
    this.#changed.fire();
    this.#showProgress();
    void vscode.commands.executeCommand('setContext', 'genenv.searching', current !== null && current.share !== null);
    void vscode.commands.executeCommand('setContext', 'genenv.searched', current !== null);
    void this.#say();
  }

  async #say(): Promise<void> {
    const { foundWords } = await this.#drawing();
    const { current } = this.#search;
    this.#view.description = current === null ? '' : foundWords(current);
    if (current === null) this.#view.message = '';
    else if (current.failure !== null) this.#view.message = vscode.l10n.t('The search failed: {0}', current.failure);
    else if (current.share === null && current.hits.length === 0) {
      this.#view.message = vscode.l10n.t(
        'Nothing in “{0}” matches “{1}”. Remove a term, or search for part of a word.',
        current.runName,
        current.text,
      );
    } else this.#view.message = vscode.l10n.t('{0} in “{1}”', current.text, current.runName);
  }

  /** The editor's progress bar over the view, during a search. */
  #showProgress(): void {
    const { current } = this.#search;
    const number = current === null || current.share === null ? null : current.number;
    if (number === (this.#searching?.number ?? null)) return;
    this.#searching?.done();
    this.#searching = null;
    if (number === null) return;
    const ended = Promise.withResolvers<null>();
    this.#searching = { number, done: () => ended.resolve(null) };
    void vscode.window.withProgress({ location: { viewId: 'genenv.search' } }, () => ended.promise);
  }
}
