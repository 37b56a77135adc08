/** The queue of one folder of runs: looked at once a second, and asked by files of its inbox. */
import type { FSWatcher } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isThere } from '../../../runs/files/isThere.ts';
import { tracesSettings } from '../../../host/servers/tracesSettings.ts';
import type { Clock, Log } from '../../../engine/ports.ts';
import { author } from '../../../launch/author.ts';
import type { RunFolder } from '../../../host/runs/runFolders.ts';
import type { SaidSoFar } from '../../../shared/records/saidSoFar.ts';
import { InTurn } from '../../../shared/inTurn.ts';
import type { Direction, Grant, RunnerRequest, Work } from '../contract.ts';
import { notTaken } from '../core/notTaken.ts';
import type { QueueReading, RunnerSight } from '../node/runnerFiles.ts';
import { watchFolder } from '../node/watchFolder.ts';
import { messageOf } from '../../../shared/messageOf.ts';

/** Milliseconds between two looks where no event of a file asks for one; events may be lost. */
const glance = 1_000;
/** Milliseconds in which further events count as one. */
const gather = 150;

type Ask = RunnerRequest extends infer R ? (R extends RunnerRequest ? Omit<R, 'v' | 'at' | 'author'> : never) : never;

export interface FolderNeeds {
  clock: Clock;
  log: Log;
  /** The folder of built files. */
  dist: URL;
  version: string;
  /** The queue cannot be read. */
  onError: (error: unknown) => void;
}

export class FolderQueue implements vscode.Disposable {
  readonly folder: RunFolder;
  readonly #needs: FolderNeeds;
  readonly #changed = new vscode.EventEmitter<RunnerSight>();
  readonly #timer: NodeJS.Timeout;
  #reading: QueueReading | null = null;
  readonly #inTurn = new InTurn();
  /** The look that has not begun yet. */
  #next: Promise<void> | null = null;
  #shown = '';
  #failed = '';
  #sight: RunnerSight | null = null;
  #beginning: Promise<void> | null = null;
  #watcher: FSWatcher | null = null;
  /** Runs and studies of this window that the runner of then has not taken yet. */
  #added = new Set<string>();
  #soon: NodeJS.Timeout | null = null;

  readonly onDidChange = this.#changed.event;

  constructor(folder: RunFolder, needs: FolderNeeds) {
    this.folder = folder;
    this.#needs = needs;
    this.#timer = setInterval(() => void this.look(), glance);
  }

  get sight(): RunnerSight | null {
    return this.#sight;
  }

  /**
   * Begins after the call: a look under way may have passed what the caller did before. Never throws: an unreadable queue
   * is reported once.
   */
  look(): Promise<void> {
    this.#next ??= this.#inTurn.run(() => {
      this.#next = null;
      return this.#look();
    });
    return this.#next;
  }

  /** @throws RunError `disk-full`, `unwritable` */
  async ask(...requests: readonly Ask[]): Promise<void> {
    const inbox = await this.#inbox();
    for (const request of requests) await inbox.post({ ...request, author: author() });
    await this.look();
  }

  /** In the queue already, it stays where it is. */
  async add(work: readonly Work[]): Promise<void> {
    await this.ask({ type: 'add', work: [...work] });
    if (this.#sight?.holder != null) for (const { run } of work) this.#added.add(run);
  }

  /** Work of this window that came when a runner was ending, which left it in the inbox: no runner is to come by itself. */
  get leftBehind(): boolean {
    return this.#sight?.holder === null && this.#added.size > 0;
  }

  move = (run: string, to: Direction): Promise<void> => this.ask({ type: 'move', run, to });

  /** Sees that a runner works, and that it may send this. @throws RunnerError `not-started`, `no-pipe` */
  async run(grants: readonly Grant[]): Promise<void> {
    await this.look();
    const holder = this.#sight?.holder ?? null;
    if (holder !== null) {
      if (grants.length === 0) return;
      const { giveGrants } = await import('../node/runnerPipe.ts');
      await giveGrants(this.folder.root, holder, grants);
      return;
    }
    this.#beginning ??= this.#begin(grants).finally(() => {
      this.#beginning = null;
    });
    await this.#beginning;
    await this.look();
  }

  /** The newest turns in the attempts at a task of a run; null where the runner cannot be asked. */
  async said(run: string, task: string): Promise<SaidSoFar | null> {
    const holder = this.#sight?.holder ?? null;
    if (holder === null) return null;
    const { askSaid } = await import('../node/runnerPipe.ts');
    return askSaid(this.folder.root, holder, { run, task });
  }

  dispose(): void {
    clearInterval(this.#timer);
    if (this.#soon !== null) clearTimeout(this.#soon);
    this.#watcher?.close();
    this.#changed.dispose();
  }

  async #begin(grants: readonly Grant[]): Promise<void> {
    const { dist, version, clock } = this.#needs;
    const [{ beginRunner }, { variablesOf }, { fileURLToPath }] = await Promise.all([
      import('../node/beginRunner.ts'),
      import('../node/tracesOfRunner.ts'),
      import('node:url'),
    ]);
    const { root } = this.folder;
    // Where spans go is the settings' to say, not that of a shell that VS Code was started from.
    const own = Object.entries(process.env).filter(([name]) => !/^(?:VSCODE_|OTEL_)/.test(name));
    await beginRunner({
      ...{ root, clock, grants },
      command: [process.execPath, fileURLToPath(new URL('runner.cjs', dist)), root, fileURLToPath(dist), version],
      // VS Code's own program acts as Node with this variable.
      env: { ...Object.fromEntries(own), ...variablesOf(tracesSettings()), ELECTRON_RUN_AS_NODE: '1' },
    });
  }

  #watch(): FSWatcher | null {
    const changed = (): void => {
      this.#soon ??= setTimeout(() => {
        this.#soon = null;
        void this.look();
      }, gather);
    };
    // The folder is gone, or there are no more watchers: the timer's looks suffice, and the next one tries again.
    return watchFolder(join(this.folder.root, '.runner'), changed, () => {
      this.#watcher = null;
    });
  }

  async #inbox() {
    const { runnerInbox } = await import('../node/runnerFiles.ts');
    return runnerInbox(this.folder.root, this.#needs);
  }

  async #look(): Promise<void> {
    try {
      if (await isThere(join(this.folder.root, '.runner'))) this.#watcher ??= this.#watch();
      else {
        this.#watcher?.close();
        this.#watcher = null;
        if (this.#sight === null) return;
      }
      const { lookAtRunner, QueueReading } = await import('../node/runnerFiles.ts');
      this.#reading ??= new QueueReading(this.folder.root);
      const sight = await lookAtRunner(this.folder.root, this.#needs, this.#reading);
      const shown = JSON.stringify({ ...sight, holder: sight.holder?.nonce ?? null });
      this.#sight = sight;
      this.#added = notTaken(sight.asked, this.#added);
      this.#failed = '';
      if (shown === this.#shown) return;
      this.#shown = shown;
      this.#changed.fire(sight);
    } catch (error) {
      const said = messageOf(error);
      if (said === this.#failed) return;
      this.#failed = said;
      this.#needs.onError(error);
    }
  }
}
