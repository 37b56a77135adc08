/** The queue of one folder of runs: looked at once a second, and asked by files of its inbox. */
import type { FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { tracesSettings } from '../../../host/servers/tracesSettings.ts';
import type { Clock, Log } from '../../../engine/ports.ts';
import { author } from '../../../launch/author.ts';
import type { RunFolder } from '../../../host/runs/runFolders.ts';
import type { SaidSoFar } from '../../../shared/records/saidSoFar.ts';
import { codeOf } from '../../../shared/systemError.ts';
import type { Direction, Grant, RunnerRequest, Work } from '../contract.ts';
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
  #looking: Promise<void> | null = null;
  #shown = '';
  #failed = '';
  #sight: RunnerSight | null = null;
  #beginning: Promise<void> | null = null;
  #watcher: FSWatcher | null = null;
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

  /** Never throws: an unreadable queue is reported once. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** @throws RunError `disk-full`, `unwritable` */
  async ask(...requests: readonly Ask[]): Promise<void> {
    const inbox = await this.#inbox();
    for (const request of requests) await inbox.post({ ...request, author: author() });
    await this.look();
  }

  /** In the queue already, it stays where it is. */
  add = (work: readonly Work[]): Promise<void> => this.ask({ type: 'add', work: [...work] });

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
      if (!(await isThere(join(this.folder.root, '.runner')))) return;
      this.#watcher ??= this.#watch();
      const { lookAtRunner, QueueReading } = await import('../node/runnerFiles.ts');
      this.#reading ??= new QueueReading(this.folder.root);
      const sight = await lookAtRunner(this.folder.root, this.#needs, this.#reading);
      const shown = JSON.stringify({ ...sight, holder: sight.holder?.nonce ?? null });
      this.#sight = sight;
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

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
