/** The calibration dashboard of one run: feeds its page and handles its requests. */
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { stepDone } from '../../../host/feedback/stepsDone.ts';
import { calibrationEvents, calibrationRequests } from '../contract.ts';
import type { Channel } from '../../../shared/rpc/channel.ts';
import { defined } from '../../../shared/defined.ts';
import type { FollowedRun, RunCatalog, RunDir, RunService } from '../../../host/runs/runs.ts';
import type { RunsTree, RunTarget } from '../../../host/trees/target.ts';
import { entitle } from '../../../host/webviews/runTitle.ts';
import { saveText } from '../../../host/webviews/saveText.ts';
import { CalibrationFeed } from './calibrationFeed.ts';
import { factsOf, progressOf } from './calibrationFacts.ts';

/** The dashboard's dependencies in the host. */
export interface CalibrationDeps {
  catalog: RunCatalog;
  service: RunService;
  tree: RunsTree;
  log: vscode.LogOutputChannel;
}

const commands = {
  pause: 'genenv.pauseRun',
  pauseNow: 'genenv.pauseRunNow',
  resume: 'genenv.resumeRun',
  stop: 'genenv.stopRun',
  branch: 'genenv.branchRun',
} as const;

export class CalibrationPanel implements vscode.Disposable {
  readonly dir: RunDir;
  readonly panel: vscode.WebviewPanel;
  readonly #deps: CalibrationDeps;
  readonly #followed: FollowedRun;
  readonly #feed: CalibrationFeed;
  readonly #channel: Channel;
  readonly #subscriptions: { dispose(): unknown }[];
  #facts = '';
  /** Why the run cannot be read on. */
  #failure: string | null = null;
  /** The page is there and knows everything up to the last `take`. */
  #open = false;
  /** Epochs were in front of a person. */
  #watched = false;
  /** Counts snapshots: a page that is loaded anew makes the one being sent void. */
  #snapshot = 0;

  /** @param channel to its page, which may not be there yet: call `open` when it is */
  constructor(panel: vscode.WebviewPanel, channel: Channel, followed: FollowedRun, deps: CalibrationDeps) {
    this.panel = panel;
    this.#channel = channel;
    this.dir = followed.dir;
    this.#deps = deps;
    this.#followed = followed;
    this.#feed = new CalibrationFeed(followed);
    entitle(panel, [this.dir], deps.catalog, (name) => vscode.l10n.t('Calibration: {0}', name));
    this.#answer();
    const { catalog, service } = deps;
    this.#subscriptions = [
      this.#feed,
      followed,
      this.#feed.onDidChange(() => this.#sendChanges()),
      this.#feed.onDidFail(({ message }) => {
        this.#failure = message;
        this.#sendFailure();
      }),
      catalog.onDidChangeRuns((dirs) => {
        if (dirs.includes(this.dir)) this.#sendFacts();
      }),
      service.onDidProgress(({ dir }) => {
        if (dir === this.dir && this.#open) this.#channel.emit(calibrationEvents.progress, this.#progress());
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#sendFacts()),
      panel.onDidChangeViewState(() => {
        // A hidden page is gone; it says hello again when it is shown.
        if (!panel.visible) this.#close();
      }),
    ];
    void this.#feed.start();
  }

  dispose(): void {
    this.#close();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #progress() {
    return progressOf(this.#deps.service.active.get(this.dir));
  }

  /** The page is there and knows nothing: sends it everything, a piece at a time. */
  async open(): Promise<void> {
    this.#close();
    const snapshot = this.#snapshot;
    const facts = this.#currentFacts();
    this.#facts = JSON.stringify(facts);
    this.#channel.emit(calibrationEvents.opened, { facts, progress: this.#progress() });
    for (const data of this.#feed.fold.all()) {
      this.#channel.emit(calibrationEvents.data, data);
      await setImmediate();
      if (snapshot !== this.#snapshot) return;
    }
    this.#open = true;
    this.#sendChanges();
    this.#sendFailure();
  }

  #sendFailure(): void {
    if (!this.#open || this.#failure === null) return;
    // A run error's message contains the remedy.
    this.#channel.emit(calibrationEvents.failed, { message: this.#failure, remedy: '' });
  }

  #close(): void {
    this.#open = false;
    this.#snapshot += 1;
  }

  #sendChanges(): void {
    if (!this.#open) return;
    for (const data of this.#feed.fold.take()) this.#channel.emit(calibrationEvents.data, data);
    this.#watch();
    if (this.#feed.complete) this.#channel.emit(calibrationEvents.complete, null);
    this.#sendFacts();
  }

  #watch(): void {
    if (this.#watched || !this.panel.active || this.#followed.scoredEpochs.length === 0) return;
    this.#watched = true;
    void stepDone('calibration');
  }

  #sendFacts(): void {
    const facts = this.#currentFacts();
    const text = JSON.stringify(facts);
    if (!this.#open || text === this.#facts) return;
    this.#facts = text;
    this.#channel.emit(calibrationEvents.facts, facts);
    this.#channel.emit(calibrationEvents.progress, this.#progress());
  }

  #currentFacts() {
    return factsOf(this.#followed, this.#deps.catalog.get(this.dir), vscode.workspace.isTrusted);
  }

  #answer(): void {
    const { details, filter, reveal, steer, apply, save } = calibrationRequests;
    const { tree, service } = this.#deps;
    this.#channel.handle(details, async ({ epoch }) => {
      const families = await this.#followed.familiesOf(epoch);
      return families.map(({ id, plan, complexity }) => ({ id, plan, complexity }));
    });
    this.#channel.handle(filter, async ({ epochs, successRate }) => {
      await tree.filter(this.dir, { epochs, successRate });
      return null;
    });
    this.#channel.handle(reveal, async ({ epoch, family }) => {
      const target: RunTarget = { run: this.dir, epoch };
      if (family !== null) {
        const families = await this.#followed.familiesOf(epoch);
        const id = families[family]?.id;
        if (id !== undefined) target.family = id;
      }
      await tree.reveal(target);
      return null;
    });
    this.#channel.handle(steer, async ({ action, epoch, changes }) => {
      const target = { run: this.dir, ...defined({ epoch: epoch ?? undefined, changes }) };
      await vscode.commands.executeCommand(commands[action], target);
      return null;
    });
    this.#channel.handle(apply, async ({ changes }) => {
      await service.change(
        this.dir,
        changes.map(({ field, value }) => `${field}=${value}`),
      );
      return null;
    });
    this.#channel.handle(save, (file) => saveText(file));
  }
}
