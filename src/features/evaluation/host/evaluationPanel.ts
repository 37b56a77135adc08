/** The page of one evaluation: scores beside the paper's figures, and every attempt that was not right. */
import * as vscode from 'vscode';
import { readEvaluation } from '../node/evaluationFolder.ts';
import { readRequest } from '../node/asked.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import {
  compareWith,
  continueEvaluation,
  evaluationProgress,
  evaluationShown,
  failingAttempts,
  openAttempt,
  stopEvaluation,
  type EvaluationFailure,
} from '../contract.ts';
import { Gatherer } from '../../../host/runs/gatherer.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { evaluationState, failuresIn } from './evaluationState.ts';
import { policyWords } from './words.ts';
import type { Evaluations, Told } from './evaluations.ts';
import { messageOf } from '../../../shared/messageOf.ts';

/** Shortest interval between reports, in milliseconds. */
const throttle = 500;

export interface EvaluationPanelNeeds {
  extensionUri: vscode.Uri;
  evaluations: Evaluations;
  log: vscode.LogOutputChannel;
  /** Actions of the page; each reports its own failures. */
  act: Record<'continue' | 'compare', (folder: string) => void> & { open: (folder: string, trace: string) => void };
}

export class EvaluationPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly folder: string;
  readonly #needs: EvaluationPanelNeeds;
  readonly #channel: Channel;
  readonly #subscriptions: vscode.Disposable;
  readonly #coming: Gatherer<Told>;
  #failures: readonly EvaluationFailure[] = [];
  /** Increases with every reading of the folder: only the last reading is shown. */
  #looks = 0;

  constructor(panel: vscode.WebviewPanel, folder: string, needs: EvaluationPanelNeeds) {
    const { extensionUri, evaluations, log, act } = needs;
    this.panel = panel;
    this.folder = folder;
    this.#needs = needs;
    this.#coming = new Gatherer(throttle, (all) => this.#tell(all));
    panel.iconPath = pageIcon(extensionUri);
    this.#channel = mountPage(panel.webview, {
      ...{ extensionUri, name: 'evaluation', title: panel.title, log },
      onOpen: () => void this.#show(),
    });
    this.#channel.handle(failingAttempts, ({ from, to }) => this.#failures.slice(from, to));
    this.#channel.handle(openAttempt, ({ id }) => {
      act.open(folder, id);
      return null;
    });
    this.#channel.handle(continueEvaluation, () => {
      act.continue(folder);
      return null;
    });
    this.#channel.handle(compareWith, () => {
      act.compare(folder);
      return null;
    });
    this.#channel.handle(stopEvaluation, () => {
      evaluations.stop(folder);
      return null;
    });
    this.#subscriptions = vscode.Disposable.from(
      this.#coming,
      evaluations.onDidChange((changed) => {
        if (changed === folder) void this.#show();
      }),
      evaluations.onDidProgress((told) => {
        if (told.folder === folder) this.#coming.add(told);
      }),
      { dispose: () => this.#channel.dispose() },
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Reads the current state of its folder. */
  async #show(): Promise<void> {
    const { evaluations, log } = this.#needs;
    const look = ++this.#looks;
    try {
      const [stored, request] = await Promise.all([readEvaluation(this.folder), readRequest(this.folder)]);
      if (look !== this.#looks) return;
      const canContinue = request !== null && vscode.workspace.isTrusted;
      const state = evaluationState(this.folder, stored, { running: evaluations.isRunning(this.folder), canContinue });
      this.#failures = failuresIn(stored.answers);
      this.panel.title = vscode.l10n.t('{0}: {1}', state.benchmark, policyWords(state.policy));
      this.#channel.emit(evaluationShown, state);
    } catch (error) {
      // Its folder was taken away, or a line of its manifest is damaged.
      log.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(messageOf(error));
    }
  }

  #tell(all: Iterable<Told>): void {
    const newest = [...all].at(-1)?.progress;
    // It may have ended while this was held back.
    if (newest === undefined || !this.#needs.evaluations.isRunning(this.folder)) return;
    const { done, total, successes = 0 } = newest;
    this.#channel.emit(evaluationProgress, { done, total, right: successes });
  }
}
