/** Opens calibration dashboards, one a run, and brings them back after the window is loaded anew. */
import * as vscode from 'vscode';
import * as z from 'zod';
import { once } from '../../../host/once.ts';
import { pickRun } from '../../../host/commands/pickRun.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { Failures } from '../../../host/feedback/failures.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import type { CalibrationDeps, CalibrationPanel } from './calibrationPanel.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.calibration';
/** The part of a page's state that the host needs. */
const stateSchema = once(() => z.looseObject({ run: z.string() }));

export interface CalibrationPanels {
  /** Opens the dashboard of a run, or shows the one that is open. */
  open(dir: RunDir): Promise<void>;
  dispose(): void;
}

interface Needs extends CalibrationDeps {
  failures: Failures;
  clock: Clock;
}

export function registerCalibration(context: vscode.ExtensionContext, deps: Needs): CalibrationPanels {
  const panels = new Panels(context.extensionUri, deps);
  context.subscriptions.push(
    panels,
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => panels.restore(panel, state),
    }),
    registerCommand('genenv.openCalibration', async (argument?: unknown) => {
      const known = await pickRun(deps, argument, {
        title: vscode.l10n.t('Calibration of which run?'),
        fits: () => true,
        none: vscode.l10n.t('There is no run yet whose calibration could be shown.'),
      });
      if (known !== undefined) await panels.open(known.dir);
    }),
  );
  return panels;
}

class Panels implements CalibrationPanels {
  readonly #extensionUri: vscode.Uri;
  readonly #deps: Needs;
  readonly #open = new Map<RunDir, CalibrationPanel>();
  /** Runs whose journal is being read for the first time. */
  readonly #opening = new Map<RunDir, Promise<void>>();

  constructor(extensionUri: vscode.Uri, deps: Needs) {
    this.#extensionUri = extensionUri;
    this.#deps = deps;
  }

  async open(dir: RunDir): Promise<void> {
    const known = this.#open.get(dir);
    if (known !== undefined) {
      known.panel.reveal();
      return;
    }
    const opening = this.#opening.get(dir) ?? this.#create(dir);
    this.#opening.set(dir, opening);
    await opening.finally(() => this.#opening.delete(dir));
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = stateSchema().safeParse(state);
    if (parsed.success && !this.#open.has(parsed.data.run)) await this.#mount(panel, parsed.data.run);
    else panel.dispose();
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const page of this.#open.values()) page.dispose();
  }

  async #create(dir: RunDir): Promise<void> {
    const name = vscode.l10n.t('Calibration');
    const panel = vscode.window.createWebviewPanel(viewType, name, vscode.ViewColumn.Active);
    await this.#mount(panel, dir);
  }

  /** The page loads while the journal is read for the first time. */
  async #mount(panel: vscode.WebviewPanel, dir: RunDir): Promise<void> {
    const [{ mountPage }, { CalibrationPanel }] = await Promise.all([
      import('../../../host/webviews/page.ts'),
      import('./calibrationPanel.ts'),
    ]);
    const closed = new AbortController();
    panel.onDidDispose(() => closed.abort());
    const icon = (theme: string): vscode.Uri =>
      vscode.Uri.joinPath(this.#extensionUri, 'media', `calibration-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    let shown: CalibrationPanel | null = null;
    let hellos = 0;
    const channel = mountPage(panel.webview, {
      extensionUri: this.#extensionUri,
      name: 'calibration',
      title: panel.title,
      log: this.#deps.log,
      onOpen: () => {
        hellos += 1;
        void shown?.open();
      },
    });
    panel.onDidDispose(() => {
      channel.dispose();
      this.#open.delete(dir);
      shown?.dispose();
    });
    try {
      const followed = await this.#deps.catalog.watch(dir);
      if (closed.signal.aborted) {
        followed.dispose();
        return;
      }
      shown = new CalibrationPanel(panel, channel, followed, this.#deps);
      this.#open.set(dir, shown);
      if (hellos > 0) void shown.open();
      // Shown while it is read; a run that cannot be read to its end is not shown.
      await followed.whole;
    } catch (error) {
      panel.dispose();
      void this.#deps.failures.tell(vscode.l10n.t('The calibration of this run cannot be shown'), error);
    }
  }
}
