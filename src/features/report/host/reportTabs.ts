/** Reports in tabs: the page of the file, in the editor's colours, whose ids lead to families, tasks and traces. */
import * as vscode from 'vscode';
import * as z from 'zod';
import type { CommandContext } from '../../../host/commands/context.ts';
import { pickRun } from '../../../host/commands/pickRun.ts';
import { openPlace } from '../../../host/documents/openPlace.ts';
import { offerReport } from '../../../host/feedback/offerReport.ts';
import { openInBrowser } from '../../../host/feedback/openInBrowser.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { entitle } from '../../../host/webviews/runTitle.ts';
import { runNamed } from '../../../host/runs/runNamed.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import { runTargetSchema, type RunsTree } from '../../../host/trees/target.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import { defined } from '../../../shared/defined.ts';
import { reportOf, writePage } from '../node/writeReport.ts';

export interface ReportNeeds extends Pick<
  CommandContext,
  'catalog' | 'clock' | 'folders' | 'failures' | 'dist' | 'extensionUri'
> {
  tree: RunsTree;
  viewType: string;
}

/** A click on an id. */
const openedSchema = z.object({ open: runTargetSchema.omit({ run: true }) });

/** The name of the run's folder, which the page keeps. */
const keptSchema = z.object({ run: z.string() });

export class ReportTabs {
  readonly #needs: ReportNeeds;
  readonly #open = new Map<RunDir, vscode.WebviewPanel>();

  constructor(needs: ReportNeeds) {
    this.#needs = needs;
  }

  /** Writes the report of the chosen run, and shows it. @throws RunError, ReportError */
  async make(argument: unknown): Promise<void> {
    const run = await pickRun(this.#needs, argument, {
      title: vscode.l10n.t('Which run to report on?'),
      fits: () => true,
      none: vscode.l10n.t('There are no runs yet.'),
    });
    if (run === undefined) return;
    const { name } = run.head;
    const title = vscode.l10n.t('Making the report of “{0}”…', name);
    const location = vscode.ProgressLocation.Notification;
    const page = await vscode.window.withProgress({ location, title }, () => this.#written(run.dir));
    const shown = this.#open.get(run.dir);
    const panel = shown ?? vscode.window.createWebviewPanel(this.#needs.viewType, '', vscode.ViewColumn.Active);
    shown?.reveal();
    this.#fill(panel, run.dir, page);
    void offerReport(fileOf(run.dir), name);
  }

  /** Opens the report in front. Its file is written anew: the run's folder may hold another page under that name, or none. */
  async openInBrowser(): Promise<void> {
    const [run] = [...this.#open].find(([, panel]) => panel.active) ?? [];
    if (run === undefined) return;
    await this.#written(run);
    await openInBrowser(fileOf(run));
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { catalog, failures } = this.#needs;
    const kept = keptSchema.safeParse(state).data;
    // Its run may have been deleted meanwhile.
    const run = kept === undefined ? undefined : await runNamed(kept.run, catalog);
    if (run === undefined) panel.dispose();
    else
      await failures.guard(vscode.l10n.t('The report was not made'), async () =>
        this.#fill(panel, run, await this.#page(run)),
      );
  }

  /** Made from the run, never read from its folder, which may have been given to us. @throws RunError, ReportError */
  #page(run: RunDir): Promise<string> {
    const { dist, folders } = this.#needs;
    return folders.reading(run, (reader) => reportOf(reader, dist));
  }

  /** @returns the page. @throws RunError, ReportError */
  async #written(run: RunDir): Promise<string> {
    const page = await this.#page(run);
    await writePage(runPaths(run).report, page);
    return page;
  }

  #fill(panel: vscode.WebviewPanel, run: RunDir, page: string): void {
    const { catalog, extensionUri, failures, tree } = this.#needs;
    panel.iconPath = pageIcon(extensionUri);
    panel.webview.options = { enableScripts: true, localResourceRoots: [] };
    if (!this.#open.has(run)) {
      this.#open.set(run, panel);
      entitle(panel, [run], catalog, (name) => vscode.l10n.t('Report: {0}', name));
      panel.onDidDispose(() => this.#open.delete(run));
      panel.webview.onDidReceiveMessage((message: unknown) => {
        const asked = openedSchema.safeParse(message).data;
        if (asked !== undefined)
          void failures.guard(vscode.l10n.t('The link was not followed'), () =>
            openPlace({ run, ...defined(asked.open) }, tree),
          );
      });
    }
    panel.webview.html = page;
  }
}

const fileOf = (run: RunDir): vscode.Uri => vscode.Uri.file(runPaths(run).report);
