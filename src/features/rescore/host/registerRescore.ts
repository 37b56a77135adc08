/** Rescore Run with Reward…: pages, one a run and reward, and the withdrawal of applied verdicts. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { pickRun } from '../../../host/commands/pickRun.ts';
import { rewardOf } from '../../../host/files/rewardFiles.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { RescorePanel, RescorePanelNeeds, RescorePlace } from './rescorePanel.ts';
import { registerCommand } from '../../../host/commands/registerCommand.ts';

const viewType = 'genenv.rescore';

const notRescored = (): string => vscode.l10n.t('The run was not rescored');

export function registerRescore(
  { extensionUri, subscriptions }: vscode.ExtensionContext,
  needs: Omit<RescorePanelNeeds, 'extensionUri' | 'takeBack'>,
): void {
  const { failures } = needs;
  const takeBack = async (run: RunDir): Promise<void> => {
    requireTrust();
    const { by } = await needs.service.takeBackRescoring(run);
    const text = vscode.l10n.t('The verdicts of {0} were taken back; the recorded ones count again.', basename(by));
    void vscode.window.showInformationMessage(text);
  };
  const pages = new RescorePages({ ...needs, extensionUri, takeBack });
  subscriptions.push(
    pages,
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: (panel, state) => pages.restore(panel, state),
    }),
    registerCommand('genenv.rescoreRun', (argument: unknown) =>
      failures.guard(notRescored(), async () => {
        requireTrust();
        const reward = await rewardOf(argument, vscode.l10n.t('Rescore with which reward?'));
        if (reward === undefined) return undefined;
        const run = await pickRun(needs, argument, {
          title: vscode.l10n.t('Rescore which run with {0}?', basename(reward.path)),
          fits: () => true,
          none: vscode.l10n.t('There is no run yet whose traces could be scored.'),
        });
        return run === undefined ? undefined : pages.score({ run: run.dir, reward: reward.fsPath });
      }),
    ),
    registerCommand('genenv.takeBackRescoring', (argument: unknown) =>
      failures.guard(vscode.l10n.t('The verdicts were not taken back'), async () => {
        requireTrust();
        const run = await pickRun(needs, argument, {
          title: vscode.l10n.t('Take back the new verdicts of which run?'),
          fits: () => true,
          none: vscode.l10n.t('There are no runs yet.'),
        });
        if (run !== undefined) await takeBack(run.dir);
      }),
    ),
  );
}

class RescorePages implements vscode.Disposable {
  readonly #needs: RescorePanelNeeds;
  readonly #open = new Set<RescorePanel>();

  constructor(needs: RescorePanelNeeds) {
    this.#needs = needs;
  }

  /** @returns the page's new content */
  async score(place: RescorePlace): Promise<unknown> {
    const same = [...this.#open].find((page) => page.place.run === place.run && page.place.reward === place.reward);
    if (same !== undefined) same.panel.reveal();
    const title = vscode.l10n.t('Rescore');
    const page =
      same ?? (await this.#mount(vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active), place));
    await page.score();
    return page.state;
  }

  async restore(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { catalog, failures } = this.#needs;
    await catalog.ready;
    const { keptRescoreSchema } = await import('../contract/page.ts');
    const kept = keptRescoreSchema.safeParse(state).data;
    // Its run may have been deleted meanwhile.
    if (kept === undefined || catalog.get(kept.run) === undefined) panel.dispose();
    else await failures.guard(notRescored(), () => this.#mount(panel, { run: kept.run, reward: kept.reward }));
  }

  /** The panels stay: the editor brings them back with the next window. */
  dispose(): void {
    for (const page of this.#open) page.dispose();
  }

  async #mount(panel: vscode.WebviewPanel, place: RescorePlace): Promise<RescorePanel> {
    try {
      const { RescorePanel: Panel } = await import('./rescorePanel.ts');
      const page = new Panel(panel, place, this.#needs);
      this.#open.add(page);
      panel.onDidDispose(() => {
        this.#open.delete(page);
        page.dispose();
      });
      return page;
    } catch (error) {
      panel.dispose();
      throw error;
    }
  }
}
