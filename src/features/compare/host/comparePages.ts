/** Pages that compare runs: which ones a person picks, and their return. Loaded with the first of them. */
import * as vscode from 'vscode';
import { stepDone } from '../../../host/feedback/stepsDone.ts';
import { namesInTitles } from '../../../host/webviews/runTitle.ts';
import { itemOf } from '../../../host/commands/pickRun.ts';
import { viewType, type CompareNeeds } from './compareNeeds.ts';
import type { RunInComparison } from './comparedRun.ts';
import type { ComparePanel } from './comparePanel.ts';

/** Loaded, like the page behind it, with the first comparison. */
const contract = () => import('../contract.ts');

export class ComparePages {
  readonly #needs: CompareNeeds;
  readonly #extensionUri: vscode.Uri;
  readonly #open = new Set<ComparePanel>();

  constructor(needs: CompareNeeds, extensionUri: vscode.Uri) {
    this.#needs = needs;
    this.#extensionUri = extensionUri;
  }

  /** Two to eight runs are compared at once; of fewer or more a person picks. */
  async ask(given: readonly string[]): Promise<void> {
    const { catalog, failures } = this.#needs;
    await failures.guard(notCompared(), async () => {
      const { mostRuns } = await contract();
      await catalog.ready;
      // A run that was just made may not be listed yet.
      if (given.some((dir) => catalog.get(dir) === undefined)) await catalog.refresh();
      const known = given.filter((dir) => catalog.get(dir) !== undefined);
      const dirs = known.length >= 2 && known.length <= mostRuns ? known : await this.#pick(known);
      if (dirs === null) return;
      await this.#show(dirs);
      void stepDone('compare');
    });
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { catalog } = this.#needs;
    const { keptSchema } = await contract();
    await catalog.ready;
    const kept = keptSchema.safeParse(state).data?.runs ?? [];
    const dirs = kept.filter((dir) => catalog.get(dir) !== undefined);
    // Compared runs may have been deleted meanwhile.
    if (dirs.length < 2) panel.dispose();
    else await this.#needs.failures.guard(notCompared(), () => this.#mount(panel, dirs));
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const page of this.#open) page.dispose();
  }

  /** Null when nothing was picked. */
  async #pick(first: readonly string[]): Promise<string[] | null> {
    const { catalog, clock } = this.#needs;
    if (catalog.runs.length < 2) {
      void vscode.window.showInformationMessage(vscode.l10n.t('There are no two runs to compare yet.'));
      return null;
    }
    const { mostRuns } = await contract();
    const now = clock.now();
    const items = catalog.runs.map((run) => ({ ...itemOf(run, now), picked: first.includes(run.dir) }));
    const title = vscode.l10n.t('Which runs to compare? 2 to {0}', mostRuns);
    const picked = await vscode.window.showQuickPick(items, {
      ...{ title, canPickMany: true, matchOnDetail: true },
      // A page that loads late takes the focus: what was ticked is not to be lost.
      ignoreFocusOut: true,
    });
    if (picked === undefined) return null;
    // Oldest first: later runs are compared against earlier ones.
    const dirs = picked.map(({ run }) => run.dir).toReversed();
    if (dirs.length >= 2 && dirs.length <= mostRuns) return dirs;
    const text =
      picked.length < 2
        ? vscode.l10n.t('A comparison needs two runs at least.')
        : vscode.l10n.t('At most {0} runs can be told apart in one chart.', mostRuns);
    const again = vscode.l10n.t('Pick Again');
    const chosen = await vscode.window.showInformationMessage(text, again);
    return chosen === again ? this.#pick(dirs) : null;
  }

  async #show(dirs: readonly string[]): Promise<void> {
    const same = [...this.#open].find((page) => page.dirs.join('\n') === dirs.join('\n'));
    if (same !== undefined) {
      same.panel.reveal();
      return;
    }
    const title = vscode.l10n.t('Compare: {0}', namesInTitles(dirs, this.#needs.catalog));
    await this.#mount(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active), dirs);
  }

  async #mount(panel: vscode.WebviewPanel, dirs: readonly string[]): Promise<void> {
    const closed = new AbortController();
    panel.onDidDispose(() => closed.abort());
    const [{ RunInComparison }, { ComparePanel }] = await Promise.all([
      import('./comparedRun.ts'),
      import('./comparePanel.ts'),
    ]);
    const runs: RunInComparison[] = [];
    const shown: { page: ComparePanel | null } = { page: null };
    try {
      const opening = dirs.map((dir) => RunInComparison.open(this.#needs.catalog, dir, () => shown.page?.changed(dir)));
      for (const one of await Promise.allSettled(opening)) if (one.status === 'fulfilled') runs.push(one.value);
      // The first that failed says why.
      await Promise.all(opening);
    } catch (error) {
      for (const run of runs) run.dispose();
      panel.dispose();
      throw error;
    }
    if (closed.signal.aborted) {
      for (const run of runs) run.dispose();
      return;
    }
    const choose = (): void => void this.#chooseInstead(dirs);
    const page = new ComparePanel(panel, runs, {
      ...this.#needs,
      extensionUri: this.#extensionUri,
      choose,
    });
    shown.page = page;
    this.#open.add(page);
    panel.onDidDispose(() => {
      this.#open.delete(page);
      page.dispose();
    });
  }

  async #chooseInstead(dirs: readonly string[]): Promise<void> {
    await this.#needs.failures.guard(notCompared(), async () => {
      const others = await this.#pick(dirs);
      if (others !== null) await this.#show(others);
    });
  }
}

const notCompared = (): string => vscode.l10n.t('The runs were not compared');
