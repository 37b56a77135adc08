/** The Runs tree: the view, navigation to a place in it, sorting and filtering. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../../once.ts';
import type { Failures } from '../../feedback/failures.ts';
import { silenceText } from '../../../shared/text/silence.ts';
import { aheadText } from '../../feedback/words.ts';
import type { ActiveRun, RunCatalog, RunDir, RunQueue, RunService } from '../../runs/runs.ts';
import { Expansion } from '../expansion.ts';
import type { OpenRuns } from '../openRuns.ts';
import type { FamilyFilter, RunsTree, RunTarget } from '../target.ts';
import { orderWord } from '../words.ts';
import type { SavedFilter } from './chooseFilter.ts';
import { filterClauses } from './filterWords.ts';
import type { MoreNode, RunsNode } from './node.ts';
import type { NoteCounts } from './noteCounts.ts';
import { RunsProvider } from './runsProvider.ts';
import { runOrders } from './roots/runOrder.ts';
import { everything, filters, reachesEpoch, showsRun, treeFilterSchema, type TreeFilter } from './treeFilter.ts';
import { registerCommand } from '../../commands/registerCommand.ts';

const savedSchema = once(() => z.array(z.object({ name: z.string(), filter: treeFilterSchema() })));
const keys = { saved: 'genenv.runs.savedFilters', order: 'genenv.runs.order', open: 'genenv.runs.open' };
/** "3 min ago" grows old. */
const agingMs = 60_000;

export interface RunsTreeDeps {
  catalog: RunCatalog;
  service: Pick<RunService, 'active' | 'onDidProgress'>;
  queue: Pick<RunQueue, 'place' | 'studies' | 'onDidChangePlaces'>;
  open: OpenRuns;
  book: NoteCounts;
  failures: Failures;
}

/** Fills the view "Runs" and registers its commands. */
export function registerRunsTree(context: vscode.ExtensionContext, deps: RunsTreeDeps): RunsTree {
  const tree = new Tree(context.workspaceState, deps);
  context.subscriptions.push(tree);
  return tree;
}

class Tree implements RunsTree, vscode.Disposable {
  readonly #deps: RunsTreeDeps;
  readonly #memory: vscode.Memento;
  readonly #provider: RunsProvider;
  readonly #view: vscode.TreeView<RunsNode>;
  readonly #disposables: vscode.Disposable[];
  /** As rows say them, by the run. */
  readonly #timesLeft = new Map<RunDir, string>();

  constructor(memory: vscode.Memento, deps: RunsTreeDeps) {
    this.#deps = deps;
    this.#memory = memory;
    const expansion = new Expansion(memory, keys.open);
    this.#provider = new RunsProvider(
      ...([deps.catalog, deps.service, deps.open] as const),
      deps.book,
      expansion,
      deps.queue,
    );
    this.#provider.model.order = runOrders.find((order) => order === memory.get(keys.order)) ?? 'started';
    this.#view = vscode.window.createTreeView('genenv.runs', {
      treeDataProvider: this.#provider,
      showCollapseAll: true,
      // For Compare Runs; every other command is about the one it was called on.
      canSelectMany: true,
    });
    const aging = setInterval(() => {
      if (this.#view.visible) this.#provider.redraw(this.#restingRuns());
    }, agingMs);
    const command = (name: string, failed: string, work: (argument: RunsNode) => Promise<void> | void) =>
      registerCommand(`genenv.${name}`, (argument: RunsNode) =>
        deps.failures.guard(failed, async () => work(argument)),
      );
    this.#disposables = [
      vscode.Disposable.from(this.#view, this.#provider),
      new vscode.Disposable(() => clearInterval(aging)),
      this.#view.onDidExpandElement(({ element }) => {
        expansion.set(element.id, true);
        if (element.kind === 'run') deps.open.show(element.run, 'runs', true);
      }),
      this.#view.onDidCollapseElement(({ element }) => {
        expansion.set(element.id, false);
        if (element.kind === 'run') deps.open.show(element.run, 'runs', false);
      }),
      deps.service.onDidProgress((run) => {
        const [phase] = run.phases;
        if (phase !== undefined) this.#drawPhase(run.dir, phase.epoch);
        this.#drawTimeLeft(run);
      }),
      deps.queue.onDidChangePlaces((runs) => {
        this.#provider.redraw(runs.map((run) => this.#provider.model.runNode(run)));
      }),
      deps.queue.studies.onDidChange(() => this.#provider.model.queueChanged()),
      command('sortRuns', vscode.l10n.t('The runs were not sorted'), () => this.#chooseOrder()),
      command('filterRuns', vscode.l10n.t('The filter was not set'), () => this.#chooseFilter()),
      command('clearFilter', vscode.l10n.t('The filter was not cleared'), () => this.#setFilter(everything)),
      command('saveFilter', vscode.l10n.t('The filter was not saved'), () => this.#saveFilter()),
      command('showMore', vscode.l10n.t('No more can be shown'), (node) => {
        if (node.kind === 'more') this.#showMore(node);
      }),
    ];
  }

  async reveal(target: RunTarget): Promise<void> {
    await this.#deps.catalog.ready;
    await this.#unhide(target);
    const node = await this.#provider.model.locate(target);
    if (node === undefined) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('This place is not in the Runs tree: the run or its epoch is gone.'),
      );
      return;
    }
    // The editor looks for the node among the children that it last received.
    this.#provider.flush();
    await vscode.commands.executeCommand('genenv.runs.focus');
    await this.#view.reveal(node, { select: true, focus: true, expand: true });
  }

  async filter(run: RunDir, filter: FamilyFilter): Promise<void> {
    this.#setFilter({ runs: {}, families: { ...filter, run } });
    await this.reveal({ run });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** A requested place is shown, whatever the filter was. */
  async #unhide({ run, epoch }: RunTarget): Promise<void> {
    const { model } = this.#provider;
    const known = this.#deps.catalog.get(run) ?? (await this.#appeared(run));
    if (known === undefined) return;
    if (!showsRun(model.filter, known)) this.#setFilter(everything);
    else if (epoch !== undefined && !reachesEpoch(model.filter, epoch))
      this.#setFilter({ ...model.filter, families: {} });
  }

  /** A run that was just made may not be listed yet. */
  async #appeared(run: RunDir) {
    await this.#deps.catalog.refresh();
    return this.#deps.catalog.get(run);
  }

  #drawPhase(run: RunDir, epoch: number): void {
    const node = this.#view.visible ? this.#provider.model.shownEpoch(run, epoch) : undefined;
    if (node !== undefined) this.#provider.redraw([node]);
  }

  /** As often as the row would say something else than the status bar; its epochs are drawn with it. */
  #drawTimeLeft({ dir, secondsLeft, silences }: ActiveRun): void {
    const text = [...aheadText(secondsLeft, null), silenceText(silences)].join(' ');
    if (!this.#view.visible || this.#timesLeft.get(dir) === text) return;
    this.#timesLeft.set(dir, text);
    this.#provider.redraw([this.#provider.model.runNode(dir)]);
  }

  /** Runs whose row changes with the time alone. */
  #restingRuns(): RunsNode[] {
    return this.#deps.catalog.runs.map(({ dir }) => this.#provider.model.runNode(dir));
  }

  #showMore(node: MoreNode): void {
    this.#provider.model.showMore(node);
    this.#provider.flush();
  }

  async #chooseOrder(): Promise<void> {
    const { model } = this.#provider;
    const items = runOrders.map((order) => ({
      label: orderWord(order),
      description: order === model.order ? vscode.l10n.t('now') : '',
      order,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      ignoreFocusOut: true,
      title: vscode.l10n.t('Sort Runs'),
    });
    if (picked === undefined) return;
    model.order = picked.order;
    await this.#memory.update(keys.order, picked.order);
  }

  get #saved(): SavedFilter[] {
    return savedSchema().catch([]).parse(this.#memory.get(keys.saved));
  }

  async #chooseFilter(): Promise<void> {
    const removals: Thenable<void>[] = [];
    const remove = ({ name }: SavedFilter): void => {
      removals.push(
        this.#memory.update(
          keys.saved,
          this.#saved.filter((one) => one.name !== name),
        ),
      );
    };
    const { chooseFilter } = await import('./chooseFilter.ts');
    const chosen = await chooseFilter(this.#provider.model.filter, this.#saved, this.#nameOf, remove);
    await Promise.all(removals);
    if (chosen !== undefined) this.#setFilter(chosen);
  }

  async #saveFilter(): Promise<void> {
    const { filter } = this.#provider.model;
    if (!filters(filter)) return;
    const name = await vscode.window.showInputBox({
      ignoreFocusOut: true,
      title: vscode.l10n.t('Save Filter'),
      prompt: vscode.l10n.t('A name to find it by. An existing filter of that name is replaced.'),
      value: filterClauses(filter, this.#nameOf).join(', '),
      validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A filter needs a name.') : null),
    });
    if (name === undefined) return;
    const others = this.#saved.filter((one) => one.name !== name.trim());
    await this.#memory.update(keys.saved, [...others, { name: name.trim(), filter }]);
  }

  #setFilter(filter: TreeFilter): void {
    this.#provider.model.filter = filter;
    const clauses = filterClauses(filter, this.#nameOf);
    this.#view.message =
      clauses.length === 0
        ? ''
        : vscode.l10n.t('Only {0}. “Clear Filter” above shows everything again.', clauses.join(' · '));
    void vscode.commands.executeCommand('setContext', 'genenv.filtered', filters(filter));
  }

  readonly #nameOf = (run: RunDir): string => this.#deps.catalog.get(run)?.head.name ?? run;
}
