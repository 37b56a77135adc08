/** Opens pages of attempts, one a task, and brings them back after the window is loaded anew. */
import * as vscode from 'vscode';
import { placeOf, taskScheme, traceScheme } from '../../../host/documents/layout/place.ts';
import { RecordWatch } from '../../../host/documents/recordWatch.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunCatalog, RunDir, RunService } from '../../../host/runs/runs.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import { runTargetSchema } from '../../../host/trees/target.ts';
import type { AttemptsPanel, AttemptsPlace } from './attemptsPanel.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.attempts';

export interface AttemptsNeeds {
  catalog: Pick<RunCatalog, 'get' | 'ready' | 'onDidChangeRuns' | 'onDidChangeList'>;
  service: Pick<RunService, 'active'>;
  open: OpenRuns;
  failures: Failures;
  log: vscode.LogOutputChannel;
}

export function registerAttempts({ extensionUri, subscriptions }: vscode.ExtensionContext, needs: AttemptsNeeds): void {
  const pages = new AttemptsPages(extensionUri, needs);
  subscriptions.push(
    pages,
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => pages.restore(panel, state),
    }),
    registerCommand('genenv.openAttempts', (argument: unknown) => pages.show(argument)),
  );
}

const notShown = (): string => vscode.l10n.t('The attempts were not shown');

class AttemptsPages implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #needs: AttemptsNeeds;
  readonly #open = new Set<AttemptsPanel>();
  readonly #watch: RecordWatch;

  constructor(extensionUri: vscode.Uri, needs: AttemptsNeeds) {
    this.#extensionUri = extensionUri;
    this.#needs = needs;
    this.#watch = new RecordWatch({
      ...needs,
      runs: () => [...this.#open].map(({ place }) => place.run),
      grown: (runs) => this.#again(runs),
    });
  }

  async show(argument: unknown): Promise<void> {
    await this.#needs.failures.guard(notShown(), async () => {
      const place = await this.#placeOf(argument);
      const same = [...this.#open].find(({ place: { run, task } }) => run === place.run && task === place.task);
      if (same !== undefined) same.panel.reveal();
      else await this.#mount(vscode.window.createWebviewPanel(viewType, place.task, vscode.ViewColumn.Active), place);
    });
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    await this.#needs.catalog.ready;
    const { keptAttemptsSchema } = await import('../contract.ts');
    const kept = keptAttemptsSchema.safeParse(state).data;
    // Its run may have been deleted meanwhile.
    if (kept === undefined || this.#needs.catalog.get(kept.run) === undefined) panel.dispose();
    else await this.#needs.failures.guard(notShown(), () => this.#mount(panel, kept));
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    this.#watch.dispose();
    for (const page of this.#open) page.dispose();
  }

  /** A node of the tree, a lens, or the document in front. */
  async #placeOf(argument: unknown): Promise<AttemptsPlace> {
    const given = runTargetSchema.required({ task: true }).safeParse(argument);
    if (given.success) return { run: given.data.run, task: given.data.task, epoch: given.data.epoch ?? null };
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme === taskScheme) {
      const { run, id, at = null } = placeOf(uri);
      return { run, task: id, epoch: at };
    }
    if (uri?.scheme !== traceScheme) throw new Error(vscode.l10n.t('No task is open.'));
    const { run, id } = placeOf(uri);
    const { traceOf } = await import('../../../host/documents/reading.ts');
    const { task, epoch } = await traceOf(await this.#needs.open.open(run), id);
    return { run, task, epoch };
  }

  async #mount(panel: vscode.WebviewPanel, place: AttemptsPlace): Promise<void> {
    try {
      const { AttemptsPanel: Panel } = await import('./attemptsPanel.ts');
      const page = new Panel(panel, place, { ...this.#needs, extensionUri: this.#extensionUri });
      this.#open.add(page);
      panel.onDidDispose(() => {
        this.#open.delete(page);
        page.dispose();
      });
      // The page is there at once, and says that it loads.
      await page.again();
    } catch (error) {
      panel.dispose();
      throw error;
    }
  }

  async #again(runs: ReadonlySet<RunDir>): Promise<void> {
    for (const page of this.#open) {
      if (!runs.has(page.place.run)) continue;
      await this.#needs.failures.guard(vscode.l10n.t('The open file was not updated'), () => page.again());
    }
  }
}
