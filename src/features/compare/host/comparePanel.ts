/** The page that compares runs: updated live, answers requests for pairs of validations. */
import * as vscode from 'vscode';
import { measuredDifferently } from '../core/measuredDifferently.ts';
import { compareShared } from '../core/sharedTasks.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { choose, grown, opened, openRun, openTask, pair, save, type Pair } from '../contract.ts';
import { Gatherer } from '../../../host/runs/gatherer.ts';
import type { RunCatalog } from '../../../host/runs/runs.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { entitle } from '../../../host/webviews/runTitle.ts';
import { saveText } from '../../../host/webviews/saveText.ts';
import type { RunInComparison } from './comparedRun.ts';

/** Shortest interval between reports, in milliseconds. */
const throttle = 500;

export interface ComparePanelNeeds {
  extensionUri: vscode.Uri;
  catalog: RunCatalog;
  log: vscode.LogOutputChannel;
  /** A person wants other runs. */
  choose(): void;
}

export class ComparePanel {
  readonly panel: vscode.WebviewPanel;
  readonly #runs: readonly RunInComparison[];
  readonly #channel: Channel;
  readonly #subscriptions: { dispose(): unknown }[];
  readonly #growing: Gatherer<RunInComparison>;
  #open = false;

  constructor(panel: vscode.WebviewPanel, runs: readonly RunInComparison[], needs: ComparePanelNeeds) {
    const { extensionUri, catalog, log } = needs;
    this.panel = panel;
    this.#runs = runs;
    this.#growing = new Gatherer(throttle, (some) => this.#tell(some));
    entitle(
      panel,
      runs.map(({ dir }) => dir),
      catalog,
      (names) => vscode.l10n.t('Compare: {0}', names),
    );
    panel.iconPath = pageIcon(extensionUri);
    this.#channel = mountPage(panel.webview, {
      extensionUri,
      name: 'compare',
      title: panel.title,
      log,
      onOpen: () => {
        this.#open = true;
        this.#channel.emit(opened, { runs: this.#runs.map((run) => run.whole()) });
      },
    });
    this.#answer(needs);
    this.#subscriptions = [
      ...runs,
      this.#growing,
      catalog.onDidChangeRuns((dirs) => {
        for (const run of runs) if (dirs.includes(run.dir)) this.#growing.add(run);
      }),
      catalog.onDidChangeList(() => {
        for (const run of runs) this.#growing.add(run);
      }),
      panel.onDidChangeViewState(() => {
        // A hidden page is gone; it says hello again when it is shown.
        if (!panel.visible) this.#open = false;
      }),
      { dispose: () => this.#channel.dispose() },
    ];
  }

  /** The folders compared, in order. */
  get dirs(): string[] {
    return this.#runs.map(({ dir }) => dir);
  }

  /** A run has grown. */
  changed(dir: string): void {
    const run = this.#runs.find((one) => one.dir === dir);
    if (run !== undefined) this.#growing.add(run);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #tell(runs: Iterable<RunInComparison>): void {
    if (!this.#open) return;
    for (const run of runs) {
      const growth = run.growth();
      if (growth !== null) this.#channel.emit(grown, growth);
    }
  }

  #answer(needs: ComparePanelNeeds): void {
    this.#channel.handle(pair, ({ first, second }) => this.#pair(first, second));
    this.#channel.handle(openRun, async ({ run }) => {
      await vscode.commands.executeCommand('genenv.openCalibration', { run: this.#run(run).dir });
      return null;
    });
    this.#channel.handle(openTask, async ({ run, task }) => {
      await vscode.commands.executeCommand('genenv.openTask', { run: this.#run(run).dir, task });
      return null;
    });
    this.#channel.handle(choose, () => {
      needs.choose();
      return null;
    });
    this.#channel.handle(save, async (file) => {
      await saveText(file);
      return null;
    });
  }

  /** Only the runs of this page: requests of the page are checked. */
  #run(dir: string): RunInComparison {
    const run = this.#runs.find((one) => one.dir === dir);
    if (run === undefined) throw new Error(vscode.l10n.t('This run is not part of the comparison.'));
    return run;
  }

  async #pair(first: { run: string; epoch: number }, second: typeof first): Promise<Pair> {
    const [a, b] = [this.#run(first.run), this.#run(second.run)];
    const [before, after] = await Promise.all([a.validated(first.epoch), b.validated(second.epoch)]);
    if (typeof before === 'string') return { comparable: false, why: before };
    if (typeof after === 'string') return { comparable: false, why: after };
    const shared = compareShared(before, after);
    if (shared === null) return { comparable: false, why: 'no-shared-tasks' };
    const [was, is] = await Promise.all([a.howMeasured(first.epoch), b.howMeasured(second.epoch)]);
    return {
      comparable: true,
      paired: shared.paired,
      of: [before.tasks.length, after.tasks.length],
      measured: measuredDifferently(was, is),
      changed: shared.changed,
    };
  }
}
