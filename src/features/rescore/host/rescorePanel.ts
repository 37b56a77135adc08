/** The page of a run under another reward: scored, looked through, applied. */
import { basename, dirname, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { KeptRescore } from '../node/keptRescore.ts';
import { sourceOf } from '../../../runs/store/runPaths.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import {
  openFault,
  openRescoreRow,
  rescoreAct,
  rescored,
  rescoreRows,
  saveRescore,
  type RescoreAct,
  type RescoreResult,
  type RescoreState,
} from '../contract/page.ts';
import type { CommandContext } from '../../../host/commands/context.ts';
import { traceUri } from '../../../host/documents/layout/place.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import { requireTrust } from '../../../host/runs/steerError.ts';
import type { OpenRuns } from '../../../host/trees/openRuns.ts';
import type { RunsTree } from '../../../host/trees/target.ts';
import { mountPage } from '../../../host/webviews/page.ts';
import { pageIcon } from '../../../host/webviews/pageIcon.ts';
import { entitle, nameInTitles } from '../../../host/webviews/runTitle.ts';
import { saveText } from '../../../host/webviews/saveText.ts';
import { confirmApply } from './confirmApply.ts';
import { rescoreResult } from './rescoreResult.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { inReadersLanguage } from '../../../launch/language.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

export interface RescorePlace {
  run: RunDir;
  /** Path of the reward file. */
  reward: string;
}

export interface RescorePanelNeeds extends Pick<
  CommandContext,
  'catalog' | 'service' | 'folders' | 'failures' | 'log' | 'clock' | 'dist' | 'extensionUri'
> {
  open: OpenRuns;
  tree: RunsTree;
  takeBack: (run: RunDir) => Promise<void>;
}

/** A result, and as which rescoring it was applied. */
interface Scored {
  kept: KeptRescore;
  result: RescoreResult;
  appliedAs: string | null;
}

export class RescorePanel {
  readonly panel: vscode.WebviewPanel;
  readonly place: RescorePlace;
  readonly #needs: RescorePanelNeeds;
  readonly #channel: Channel;
  readonly #subscription: vscode.Disposable;
  readonly #stopListening: () => void;
  #state: RescoreState;
  #scored: Scored | null = null;
  #scoring: AbortController | null = null;
  #disposed = false;

  constructor(panel: vscode.WebviewPanel, place: RescorePlace, needs: RescorePanelNeeds) {
    this.panel = panel;
    this.place = place;
    this.#needs = needs;
    const { run, reward } = place;
    const runName = nameInTitles(run, needs.catalog);
    const rewardName = vscode.workspace.asRelativePath(reward, false);
    entitle(panel, [run], needs.catalog, (name) => vscode.l10n.t('Rescore: {0} · {1}', basename(reward), name));
    panel.iconPath = pageIcon(needs.extensionUri);
    this.#state = {
      ...{ run, runName, reward, rewardName, share: null, stale: false, failure: null, result: null },
      ...{ appliedAs: null, applied: null },
    };
    this.#channel = mountPage(panel.webview, {
      extensionUri: needs.extensionUri,
      name: 'rescore',
      title: panel.title,
      log: needs.log,
      onOpen: () => this.#tell({}),
    });
    this.#subscription = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (this.#judgedBy(uri.fsPath)) this.#tell({ stale: true });
    });
    this.#stopListening = needs.open.listen((news) => {
      if (news.run === run) void this.#readApplied();
    });
    this.#answer();
    void this.#readApplied();
  }

  get state(): RescoreState {
    return this.#state;
  }

  /** Scores everything again; when cancelled, the earlier result stays. @throws InputError, RunError */
  async score(): Promise<void> {
    const { folders, dist } = this.#needs;
    const { run, reward } = this.place;
    this.#scoring?.abort();
    const ending = new AbortController();
    this.#scoring = ending;
    // The function runs from the disk.
    await vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === reward)?.save();
    this.#tell({ share: 0, failure: null });
    const title = vscode.l10n.t('Rescoring “{0}” with {1}', this.#state.runName, basename(reward));
    const location = vscode.ProgressLocation.Notification;
    try {
      await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
        token.onCancellationRequested(() => ending.abort());
        await folders.reading(run, async (reader) => {
          const all = { first: 0, last: Infinity };
          const kept = await KeptRescore.make(
            { run: reader, file: reward, epochs: all },
            { dist, signal: ending.signal, onProgress: this.#progress(progress, ending.signal) },
          );
          await this.#take(kept, ending.signal);
        });
      });
    } catch (error) {
      if (ending.signal.aborted) return;
      const words = inWords(messageOf(error));
      this.#tell({ failure: words });
      throw error;
    } finally {
      if (this.#scoring === ending) {
        this.#scoring = null;
        this.#tell({ share: null });
      }
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#scoring?.abort();
    this.#subscription.dispose();
    this.#stopListening();
    this.#channel.dispose();
    void this.#scored?.kept.dispose();
  }

  #progress(progress: vscode.Progress<{ message: string; increment: number }>, signal: AbortSignal) {
    let told = 0;
    return inReadersLanguage((done: number, total: number): void => {
      const share = total === 0 ? 1 : done / total;
      if (share - told < 0.01 || signal.aborted) return;
      const message = vscode.l10n.t('{0} of {1} attempts', count(done), count(total));
      progress.report({ message, increment: 100 * (share - told) });
      told = share;
      this.#tell({ share });
    });
  }

  async #take(kept: KeptRescore, signal: AbortSignal): Promise<void> {
    const before = this.#scored;
    if (this.#disposed || signal.aborted) {
      await kept.dispose();
      return;
    }
    const result = rescoreResult(kept, (this.#state.result?.number ?? 0) + 1);
    this.#scored = { kept, result, appliedAs: null };
    this.#tell({ result, appliedAs: null, stale: false });
    await before?.kept.dispose();
  }

  #answer(): void {
    this.#channel.handle(
      rescoreRows,
      async ({ view, from, to }) => (await this.#scored?.kept.rows(view, from, to)) ?? [],
    );
    this.#channel.handle(openRescoreRow, async ({ view, row }) => {
      const [found] = (await this.#scored?.kept.rows(view, row, row + 1)) ?? [];
      const { run } = this.place;
      if (found?.kind === 'flip') await this.#openTrace(found.id);
      if (found?.kind === 'family') await this.#needs.tree.reveal({ run, epoch: found.epoch, family: found.family });
      return null;
    });
    this.#channel.handle(openFault, async ({ fault, what }) => {
      const group = this.#scored?.kept.faults.groups[fault];
      if (group === undefined) return null;
      if (what === 'trace') await this.#openTrace(group.trace);
      else {
        const { file, line, column } = group.fault.at ?? { file: this.place.reward, line: 1, column: 1 };
        await this.#openReward(file, new vscode.Position(line - 1, column - 1));
      }
      return null;
    });
    this.#channel.handle(saveRescore, (file) => saveText(file));
    this.#channel.handle(rescoreAct, async ({ act }) => {
      await this.#acts[act]();
      return null;
    });
  }

  readonly #acts: Record<RescoreAct, () => Promise<void> | void> = {
    again: async () => {
      requireTrust();
      await this.score();
    },
    stop: () => this.#scoring?.abort(),
    apply: () => this.#apply(),
    takeBack: async () => {
      await this.#needs.takeBack(this.place.run);
      await this.#readApplied();
    },
    branch: () => this.#branch(),
    openReward: () => this.#openReward(this.place.reward),
  };

  /** The trace in the page's own group, the reward beside it. */
  async #openTrace(trace: string): Promise<void> {
    const viewColumn = this.panel.viewColumn ?? vscode.ViewColumn.Active;
    const uri = traceUri(this.place.run, trace);
    await vscode.window.showTextDocument(uri, { preview: true, viewColumn });
    await this.#openReward(this.place.reward, undefined, true);
  }

  async #openReward(file: string, at?: vscode.Position, preserveFocus = false): Promise<void> {
    const viewColumn = vscode.ViewColumn.Beside;
    const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file);
    await vscode.window.showTextDocument(vscode.Uri.file(file), {
      viewColumn: shown?.viewColumn ?? viewColumn,
      preserveFocus,
      ...(at !== undefined && { selection: new vscode.Range(at, at) }),
    });
  }

  async #apply(): Promise<void> {
    requireTrust();
    const { service, failures } = this.#needs;
    const scored = this.#scored;
    if (scored === null || !(await confirmApply(this.#state))) return;
    await failures.guard(vscode.l10n.t('The verdicts were not applied'), async () => {
      const { kept, result } = scored;
      const { reward } = kept.rescored;
      const errors = result.fates.after.error;
      const made = { draft: kept.draft, reward, flips: result.rows.flips, errors };
      scored.appliedAs = (await service.applyRescoring(this.place.run, made)).rescoring;
    });
    await this.#readApplied();
  }

  /**
   * A run's reward cannot change, so the run continues as a branch, whose journal records where the new reward begins.
   */
  async #branch(): Promise<void> {
    const { run, reward } = this.place;
    const { manifest } = (await this.#needs.open.open(run)).followed;
    const from = sourceOf(run, manifest);
    const file = relative(from === null ? run : dirname(from), reward)
      .split(sep)
      .join('/');
    await vscode.commands.executeCommand('genenv.branchRun', { run, reward: file });
  }

  /** The verdicts that override the run's now. */
  async #readApplied(): Promise<void> {
    const { failures, open } = this.#needs;
    await failures.guard(vscode.l10n.t('The applied verdicts could not be read'), async () => {
      const { state } = (await open.open(this.place.run)).followed;
      const newest = state.rescorings.at(-1);
      const own = this.#scored?.appliedAs ?? null;
      this.#tell({
        appliedAs: state.rescorings.some(({ rescoring }) => rescoring === own) ? own : null,
        applied:
          newest === undefined
            ? null
            : {
                ...{ rescoring: newest.rescoring, reward: basename(newest.reward.path) },
                ...{ author: newest.author, at: newest.at, attempts: newest.attempts },
              },
      });
    });
  }

  /** It, or something that it imports. */
  #judgedBy(file: string): boolean {
    if (this.#scored === null) return false;
    const { path, texts } = this.#scored.kept.rescored.reward;
    return file === path || [...texts.keys()].some((own) => file.endsWith(`${sep}${own.split('/').join(sep)}`));
  }

  #tell(changed: Partial<RescoreState>): void {
    if (this.#disposed) return;
    this.#state = { ...this.#state, ...changed };
    this.#channel.emit(rescored, this.#state);
  }
}
