/** The table of runs as a page: fed from the catalog, asked to label, compare, export and delete. */
import * as vscode from 'vscode';
import { Gatherer } from '../../../host/runs/gatherer.ts';
import type { RunCatalog, RunDir, RunService } from '../../../host/runs/runs.ts';
import { requireTrust, SteerError } from '../../../host/runs/steerError.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { staysElsewhere } from '../../../host/runs/staysElsewhere.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { saveText } from '../../../host/webviews/saveText.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { defined } from '../../../shared/defined.ts';
import * as contract from '../contract.ts';
import { pricesIn } from '../core/cost.ts';
import { Rows } from './rows.ts';

export interface RunTableNeeds {
  catalog: RunCatalog;
  service: Pick<RunService, 'label' | 'remove'>;
  log: vscode.LogOutputChannel;
}

/** Shortest interval between reports, in milliseconds. */
const throttle = 300;

export class RunTablePanel {
  readonly panel: vscode.WebviewPanel;
  readonly #needs: RunTableNeeds;
  readonly #rows: Rows;
  readonly #channel: Channel;
  readonly #growing: Gatherer<RunDir>;
  readonly #subscriptions: { dispose(): unknown }[];
  #shown = new Set<RunDir>();
  #open = false;
  #wanted: string | null = null;

  constructor(panel: vscode.WebviewPanel, needs: RunTableNeeds & { extensionUri: vscode.Uri }) {
    const { catalog, log, extensionUri } = needs;
    this.panel = panel;
    this.#needs = needs;
    panel.iconPath = pageIcon(extensionUri);
    this.#growing = new Gatherer(throttle, (dirs) => this.#tell([...dirs]));
    this.#rows = new Rows({
      catalog,
      prices: () => pricesIn(vscode.workspace.getConfiguration('genenv').get('prices')),
      told: (dirs) => dirs.forEach((dir) => this.#growing.add(dir)),
      failed: (error) => log.warn(String(error)),
    });
    this.#channel = mountPage(panel.webview, {
      ...{ extensionUri, log, name: 'runTable', title: panel.title },
      onOpen: () => void this.#opened(),
    });
    this.#answer();
    this.#subscriptions = [
      this.#growing,
      this.#rows,
      catalog.onDidChangeRuns((dirs) => {
        for (const dir of dirs) {
          this.#growing.add(dir);
          if (this.#open) this.#rows.read(dir);
        }
      }),
      // Which settings differ may be others now.
      catalog.onDidChangeList(() => this.#send()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('genenv.prices')) void this.#opened();
      }),
      panel.onDidChangeViewState(() => {
        // A hidden page is gone; it says hello again when it is shown.
        if (!panel.visible) this.#open = false;
      }),
      { dispose: () => this.#channel.dispose() },
    ];
  }

  /** Only the runs of a study. */
  want(study: string): void {
    if (this.#open) this.#channel.emit(contract.runsWanted, { study });
    else this.#wanted = study;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #opened(): Promise<void> {
    await this.#needs.catalog.ready;
    this.#open = true;
    this.#send();
    if (this.#wanted !== null) this.#channel.emit(contract.runsWanted, { study: this.#wanted });
    this.#wanted = null;
  }

  #send(): void {
    if (!this.#open) return;
    const rows = this.#rows.all();
    this.#shown = new Set(rows.map(({ dir }) => dir));
    this.#channel.emit(contract.runsShown, { rows });
  }

  #tell(dirs: readonly RunDir[]): void {
    if (!this.#open) return;
    const rows = this.#rows.of(dirs);
    const known = new Set(rows.map(({ dir }) => dir));
    const gone = dirs.filter((dir) => !known.has(dir) && this.#shown.has(dir));
    this.#channel.emit(contract.runsChanged, { rows, gone });
  }

  #answer(): void {
    const channel = this.#channel;
    channel.handle(contract.labelRuns, async ({ runs, change }) => {
      for (const dir of runs) await this.#label(dir, change);
      return null;
    });
    channel.handle(contract.openRun, async ({ run }) => {
      await vscode.commands.executeCommand('genenv.openCalibration', { run: this.#known(run) });
      return null;
    });
    channel.handle(contract.compareRuns, async ({ runs }) => {
      const nodes = runs.map((run) => ({ run: this.#known(run) }));
      await vscode.commands.executeCommand('genenv.compareRuns', undefined, nodes);
      return null;
    });
    channel.handle(contract.deleteRuns, async ({ runs }) => {
      await this.#delete(runs.map((run) => this.#known(run)));
      return null;
    });
    channel.handle(contract.saveTable, async ({ name, text }) => {
      await saveText({ name, kind: 'csv', text });
      return null;
    });
  }

  /** Only runs of the table: requests of the page are checked. */
  #known(dir: string): RunDir {
    if (this.#needs.catalog.get(dir) !== undefined) return dir;
    throw new Error(vscode.l10n.t('This run is gone.'));
  }

  async #label(dir: string, { name, addTags = [], removeTags = [], ...rest }: contract.LabelAsk): Promise<void> {
    const { service, catalog } = this.#needs;
    const before = catalog.get(this.#known(dir))?.head;
    if (before === undefined) return;
    const tags = [...new Set([...before.label.tags.filter((tag) => !removeTags.includes(tag)), ...addTags])];
    const { pinned, note, archived } = rest;
    await service.label(dir, {
      // An empty name restores the experiment's.
      ...(name !== undefined && { name: name === before.experiment || name === '' ? null : name }),
      ...(addTags.length + removeTags.length > 0 && { tags }),
      ...defined({ pinned, note, archived }),
    });
  }

  async #delete(dirs: readonly RunDir[]): Promise<void> {
    requireTrust();
    const { service, catalog } = this.#needs;
    const [first] = dirs;
    if (first !== undefined && dirs.length === 1) {
      await vscode.commands.executeCommand('genenv.deleteRun', { run: first });
      return;
    }
    const busy = dirs.filter((dir) => catalog.get(dir)?.writer !== null);
    if (busy.length > 0) {
      throw new SteerError(
        'elsewhere',
        vscode.l10n.t('{0} of these runs are running; they cannot be deleted.', busy.length),
        { remedy: vscode.l10n.t('Pause or stop them first.') },
      );
    }
    const move = vscode.l10n.t('Move to Trash');
    const question = vscode.l10n.t('Delete {0} runs with all their traces and checkpoints?', dirs.length);
    const names = dirs.slice(0, 10).map((dir) => catalog.get(dir)?.head.name ?? dir);
    const more = dirs.length > names.length ? [vscode.l10n.t('and {0} more', dirs.length - names.length)] : [];
    const { text: stays } = staysElsewhere(dirs, catalog);
    const detail = [
      [...names, ...more].join('\n'),
      vscode.l10n.t('They can be restored from the trash.'),
      ...(stays === null ? [] : [stays]),
    ].join('\n\n');
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, move)) !== move) return;
    const title = vscode.l10n.t('Deleting {0} runs', dirs.length);
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async (progress) => {
      for (const dir of dirs) {
        await service.remove(dir);
        progress.report({ increment: 100 / dirs.length });
      }
    });
  }
}
