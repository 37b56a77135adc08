import * as vscode from 'vscode';
import type { RunQueue, RunService } from '../../runs/runs.ts';
import type { Expansion } from '../expansion.ts';
import type { OpenRuns } from '../openRuns.ts';
import { ChangeQueue } from './changeQueue.ts';
import type { RunsNode } from './node.ts';
import type { RunsItems } from './runsItems.ts';
import { once } from '../../once.ts';
import type { NoteCounts } from './noteCounts.ts';
import { RunsModel, type Changed } from './runsModel.ts';
import type { RunCatalog } from '../../runs/runs.ts';

/** The Runs tree as the editor asks for it. */
export class RunsProvider implements vscode.TreeDataProvider<RunsNode>, vscode.Disposable {
  readonly model: RunsModel;
  /** Loaded with the first row. */
  readonly #items: () => Promise<RunsItems>;
  readonly #service: Pick<RunService, 'active'>;
  readonly #open: OpenRuns;
  readonly #expansion: Pick<Expansion, 'has' | 'set'> | null;
  readonly #changed = new vscode.EventEmitter<RunsNode[] | undefined>();
  readonly #queue: ChangeQueue;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    catalog: RunCatalog,
    service: Pick<RunService, 'active'>,
    open: OpenRuns,
    notes: NoteCounts | null = null,
    expansion: Pick<Expansion, 'has' | 'set'> | null = null,
    queue: Pick<RunQueue, 'place' | 'studies'> | null = null,
  ) {
    this.#service = service;
    this.#open = open;
    this.#expansion = expansion;
    this.#queue = new ChangeQueue((changed) => this.#changed.fire(changed === null ? undefined : [...changed]));
    this.model = new RunsModel(
      catalog,
      open,
      (changed) => this.redraw(changed),
      notes,
      () => queue?.studies.open ?? [],
    );
    this.#items = once(async () => new (await import('./runsItems.ts')).RunsItems(this.model, service, queue));
  }

  /** Draws nodes again, with others that change at about the same time. */
  redraw(changed: Changed): void {
    this.#queue.add(changed);
  }

  /** Draws pending nodes now. */
  flush(): void {
    this.#queue.flush();
  }

  /** Rows that were open when the window was closed are open again. */
  async getTreeItem(node: RunsNode): Promise<vscode.TreeItem> {
    const item = await (await this.#items()).item(node);
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    if (item.collapsibleState === Collapsed && this.#expansion?.has(node.id) === true) {
      item.collapsibleState = Expanded;
      // The editor reports expansion by the user, not expanded state set by us.
      if (node.kind === 'run') this.#open.show(node.run, 'runs', true);
    }
    return item;
  }

  /**
   * The editor asks for the children of open rows alone. That a person opened one it tells by an event as well, but drops
   * the event while a row above is being drawn again.
   */
  async getChildren(node?: RunsNode): Promise<RunsNode[]> {
    if (node !== undefined && this.#expansion?.has(node.id) === false) {
      this.#expansion.set(node.id, true);
      if (node.kind === 'run') this.#open.show(node.run, 'runs', true);
    }
    return [...(await this.model.children(node))];
  }

  getParent(node: RunsNode): RunsNode | null {
    return this.model.parentOf(node);
  }

  async resolveTreeItem(item: vscode.TreeItem, node: RunsNode): Promise<vscode.TreeItem> {
    // Loaded, with the code of conclusions, at the first hover over a row.
    const { RunsTooltips } = await import('./runsTooltips.ts');
    item.tooltip = await new RunsTooltips(this.model, this.#service).of(node);
    return item;
  }

  dispose(): void {
    this.#queue.dispose();
    this.model.dispose();
    this.#changed.dispose();
  }
}
