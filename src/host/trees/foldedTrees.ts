/** One view of several trees: their roots stand one after the other, and each tree answers for its own rows. */
import * as vscode from 'vscode';

/** A tree that stands in a view with others. */
export interface TreePart<T extends object> extends vscode.TreeDataProvider<T> {
  getParent(row: T): T | null;
  /** A row of it was opened or closed by a person. */
  expanded?(row: T, on: boolean): void;
  /** How many things wait for a person: shown at the view's icon. */
  readonly badge?: vscode.ViewBadge | undefined;
}

/** A row's own tree answers for it. */
interface Owner {
  children(): Promise<object[]>;
  item(): vscode.TreeItem | Thenable<vscode.TreeItem>;
  parent(): object | null;
  expanded(on: boolean): void;
}

export class FoldedTrees implements vscode.TreeDataProvider<object>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<object[] | undefined>();
  readonly #owners = new WeakMap<object, Owner>();
  readonly #roots: (() => Promise<object[]>)[] = [];
  readonly #badges: (() => vscode.ViewBadge | undefined)[] = [];
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #view: vscode.TreeView<object>;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(id: string) {
    this.#view = vscode.window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true });
    this.#subscriptions.push(
      this.#view,
      this.#changed,
      this.#view.onDidExpandElement(({ element }) => this.#owners.get(element)?.expanded(true)),
      this.#view.onDidCollapseElement(({ element }) => this.#owners.get(element)?.expanded(false)),
    );
  }

  /** The next tree, below those before it. */
  add<T extends object>(part: TreePart<T>): void {
    const rows = async (of?: T): Promise<T[]> => {
      const found = (await part.getChildren(of)) ?? [];
      for (const row of found) this.#owners.set(row, ownerOf(row));
      return found;
    };
    const ownerOf = (row: T): Owner => ({
      children: () => rows(row),
      item: () => part.getTreeItem(row),
      parent: () => part.getParent(row),
      expanded: (on) => part.expanded?.(row, on),
    });
    this.#roots.push(() => rows());
    this.#badges.push(() => part.badge);
    const changes = part.onDidChangeTreeData?.((changed) => {
      if (changed === undefined || changed === null) this.#changed.fire(undefined);
      else this.#changed.fire(Array.isArray(changed) ? changed : [changed]);
      this.#showBadge();
    });
    if (changes !== undefined) this.#subscriptions.push(changes);
    this.#changed.fire(undefined);
    this.#showBadge();
  }

  async getChildren(row?: object): Promise<object[]> {
    if (row !== undefined) return (await this.#owners.get(row)?.children()) ?? [];
    return (await Promise.all(this.#roots.map((roots) => roots()))).flat();
  }

  getTreeItem(row: object): vscode.TreeItem | Thenable<vscode.TreeItem> {
    return this.#owners.get(row)?.item() ?? new vscode.TreeItem('');
  }

  getParent(row: object): object | null {
    return this.#owners.get(row)?.parent() ?? null;
  }

  /** Opens the view at the root of a tree. */
  async show(root: object): Promise<void> {
    if (!this.#owners.has(root)) await this.getChildren();
    await this.#view.reveal(root, { select: false, focus: true, expand: true });
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #showBadge(): void {
    this.#view.badge = this.#badges.map((badge) => badge()).find((badge) => badge !== undefined);
  }
}
