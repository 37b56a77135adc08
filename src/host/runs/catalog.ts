/** The runs of the workspace: heads read once, then only those whose files changed. */
import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../../engine/ports.ts';
import { isThere } from '../../runs/files/isThere.ts';
import type { LeaseHolder } from '../../runs/lease/leaseFile.ts';
import type { Manifest } from '../../runs/store/manifest.ts';
import { runPaths } from '../../runs/store/runPaths.ts';
import { RunError } from '../../runs/store/runError.ts';
import type { SessionEvent } from '../../runs/journal/sessionEvent.ts';
import type { SharedRun } from './followedRun.ts';
import { Gatherer } from './gatherer.ts';
import type { RunFolders } from './runFolders.ts';
import type { FollowedRun, KnownRun, RunCatalog, RunDir } from './runs.ts';
import { InTurn } from '../../shared/inTurn.ts';
import { watchRuns } from './runWatcher.ts';

/** Shortest interval between two readings of a head, in milliseconds. */
const throttleMs = 250;
/**
 * A writer that dies changes no file, and file events may be off (`files.watcherExclude`), lost, or more than the system
 * gives: this often new runs, runs with writers, and runs with a new session are looked for.
 */
const recheckMs = 5_000;
/** Heads read at once. */
const readers = 16;

/** The known state of one run folder. */
interface Entry {
  manifest: Manifest | null;
  known: KnownRun | null;
  error: RunError | null;
  lastSession: SessionEvent | null;
  /** Bytes of `sessions.jsonl`, where each writer says that it came and that it left. */
  sessions: number;
}

export class Catalog implements RunCatalog {
  readonly #folders: RunFolders;
  readonly #clock: Clock;
  readonly #entries = new Map<RunDir, Entry>();
  readonly #followed = new Map<RunDir, { opening: Promise<SharedRun>; shares: number }>();
  readonly #listChanged = new vscode.EventEmitter<void>();
  readonly #runsChanged = new vscode.EventEmitter<readonly RunDir[]>();
  /** Runs to check again; null for the lists of all folders. */
  readonly #stale: Gatherer<RunDir | null>;
  readonly #recheck: NodeJS.Timeout;
  readonly #onError: (error: unknown) => void;
  #watchers: readonly vscode.Disposable[] = [];
  /** Runs that a runner executes as this window asks it to: they are steered as its own. */
  #steered: (dir: RunDir) => boolean = () => false;
  readonly #inTurn = new InTurn();
  #sorted: readonly KnownRun[] = [];
  readonly #subscription: vscode.Disposable;

  readonly onDidChangeList = this.#listChanged.event;
  readonly onDidChangeRuns = this.#runsChanged.event;
  readonly ready: Promise<void>;

  constructor(folders: RunFolders, clock: Clock, onError: (error: unknown) => void) {
    this.#folders = folders;
    this.#clock = clock;
    this.#onError = onError;
    this.#stale = new Gatherer(throttleMs, (values) => this.#lookAgain(values));
    this.#watch();
    this.#subscription = folders.onDidChange(() => {
      this.#watch();
      this.#stale.add(null);
    });
    this.#recheck = setInterval(() => {
      this.#stale.add(null);
      void this.#recheckWriters().catch(this.#onError);
    }, recheckMs);
    // Not in the constructor's own turn: activation must not wait for a disk.
    this.ready = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#lookAgain(new Set([null])));
  }

  get runs(): readonly KnownRun[] {
    return this.#sorted;
  }

  get problems(): readonly { dir: RunDir; error: RunError }[] {
    return [...this.#entries].flatMap(([dir, { error }]) => (error === null ? [] : [{ dir, error }]));
  }

  get(dir: RunDir): KnownRun | undefined {
    return this.#entries.get(dir)?.known ?? undefined;
  }

  manifest(dir: RunDir): Manifest | undefined {
    return this.#entries.get(dir)?.manifest ?? undefined;
  }

  /** The last session of a run without a writer; null when it finished or has a writer. */
  lastSession(dir: RunDir): SessionEvent | null {
    return this.#entries.get(dir)?.lastSession ?? null;
  }

  steers(steered: (dir: RunDir) => boolean): void {
    this.#steered = steered;
  }

  /** Marks a run whose file events may not have arrived yet. */
  touch(dir: RunDir): void {
    this.#stale.add(dir);
  }

  /** Lets go of a run's files, because its folder is about to be moved. */
  async letGo(dir: RunDir): Promise<void> {
    const held = this.#followed.get(dir);
    this.#followed.delete(dir);
    await held?.opening.then((run) => run.close());
  }

  async refresh(): Promise<void> {
    for (const entry of this.#entries.values()) entry.manifest = null;
    await this.#lookAgain(new Set([null, ...this.#entries.keys()]));
  }

  async follow(dir: RunDir): Promise<FollowedRun> {
    const followed = await this.watch(dir);
    try {
      await followed.whole;
    } catch (error) {
      followed.dispose();
      throw error;
    }
    return followed;
  }

  async watch(dir: RunDir): Promise<FollowedRun> {
    const held = this.#followed.get(dir) ?? { opening: this.#open(dir), shares: 0 };
    this.#followed.set(dir, held);
    held.shares += 1;
    try {
      const run = await held.opening;
      const { Follower } = await import('./followedRun.ts');
      // Events between the end of the last reading and now.
      void run.poll();
      return new Follower(run, () => this.#release(dir, held));
    } catch (error) {
      if (this.#followed.get(dir) === held) this.#followed.delete(dir);
      throw error;
    }
  }

  dispose(): void {
    clearInterval(this.#recheck);
    this.#stale.dispose();
    for (const disposable of [...this.#watchers, this.#subscription, this.#listChanged, this.#runsChanged])
      disposable.dispose();
    for (const [dir, held] of this.#followed) {
      held.shares = 1;
      this.#release(dir, held);
    }
  }

  async #open(dir: RunDir): Promise<SharedRun> {
    const { store, id } = await this.#folders.locate(dir);
    const { SharedRun } = await import('./followedRun.ts');
    return SharedRun.open(dir, () => store.openReader(id));
  }

  #release(dir: RunDir, held: { opening: Promise<SharedRun>; shares: number }): void {
    held.shares -= 1;
    if (held.shares > 0 || this.#followed.get(dir) !== held) return;
    this.#followed.delete(dir);
    void held.opening.then((run) => run.close()).catch(this.#onError);
  }

  #watch(): void {
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = this.#folders.all.map((folder) =>
      watchRuns(folder, (changed) => {
        const dir = changed === null ? null : join(folder.root, changed.id);
        const entry = dir === null ? undefined : this.#entries.get(dir);
        if (changed?.file === 'run.json' && entry !== undefined) entry.manifest = null;
        this.#stale.add(dir);
      }),
    );
  }

  async #recheckWriters(): Promise<void> {
    for (const { dir, head, writer } of this.#sorted) {
      if (writer !== null) this.#stale.add(dir);
      else if (head.state !== 'finished' && (await sessionBytes(dir)) !== this.#entries.get(dir)?.sessions)
        this.#stale.add(dir);
    }
  }

  /** One at a time: two readings at once could leave the older one's result. */
  #lookAgain(stale: ReadonlySet<RunDir | null>): Promise<void> {
    return this.#inTurn.run(() => this.#lookOnce(stale));
  }

  async #lookOnce(stale: ReadonlySet<RunDir | null>): Promise<void> {
    try {
      const dirs = new Set([...stale].filter((dir) => dir !== null));
      let listChanged = false;
      if (stale.has(null)) {
        const present = await this.#present();
        for (const dir of this.#entries.keys()) {
          if (present.has(dir)) continue;
          this.#entries.delete(dir);
          listChanged = true;
        }
        for (const dir of present) if (!this.#entries.has(dir)) dirs.add(dir);
      }
      const changed: RunDir[] = [];
      const next = dirs.values();
      const read = async (): Promise<void> => {
        for (const dir of next) {
          void this.#poll(dir);
          const outcome = await this.#look(dir);
          if (outcome === 'list') listChanged = true;
          else if (outcome === 'run') changed.push(dir);
        }
      };
      await Promise.all(Array.from({ length: readers }, read));
      if (listChanged || changed.length > 0) this.#sort();
      if (listChanged) this.#listChanged.fire();
      if (changed.length > 0) this.#runsChanged.fire(changed);
    } catch (error) {
      this.#onError(error);
    }
  }

  async #present(): Promise<Set<RunDir>> {
    const present = new Set<RunDir>();
    for (const { root, store } of this.#folders.all) {
      for (const id of await (await store()).ids()) present.add(join(root, id));
    }
    return present;
  }

  async #poll(dir: RunDir): Promise<void> {
    const held = this.#followed.get(dir);
    if (held === undefined) return;
    try {
      await (await held.opening).poll();
    } catch (error) {
      // Followers get the error of a run that cannot be opened.
      if (!RunError.is(error)) throw error;
    }
  }

  /** Whether that made the list another one, the run, or neither. */
  async #look(dir: RunDir): Promise<'list' | 'run' | 'same'> {
    const before = this.#entries.get(dir);
    const after = await this.#read(dir, before?.manifest ?? null);
    if (after === null) return this.#entries.delete(dir) ? 'list' : 'same';
    this.#entries.set(dir, after);
    if (before === undefined || (before.known === null) !== (after.known === null)) return 'list';
    if (before.error?.message !== after.error?.message) return 'list';
    return JSON.stringify(before.known) === JSON.stringify(after.known) ? 'same' : 'run';
  }

  /** Null when the folder is gone. */
  async #read(dir: RunDir, manifest: Manifest | null): Promise<Entry | null> {
    try {
      if (!(await isThere(dir))) return null;
      const [{ readManifest }, { lookAt }] = await reading();
      const described = manifest ?? (await readManifest(dir));
      const sessions = await sessionBytes(dir);
      const { head, holder, lastSession } = await lookAt(dir, described, this.#clock);
      const known: KnownRun = { dir, head, writer: writerOf(holder, this.#steered(dir)) };
      return { manifest: described, known, error: null, lastSession, sessions };
    } catch (error) {
      if (!RunError.is(error)) throw error;
      if (!(await isThere(dir))) return null;
      return { manifest: null, known: null, error, lastSession: null, sessions: 0 };
    }
  }

  #sort(): void {
    const known = [...this.#entries.values()].flatMap((entry) => (entry.known === null ? [] : [entry.known]));
    const key = ({ head, dir }: KnownRun): string => `${head.startedAt} ${dir}`;
    this.#sorted = known.sort((a, b) => (key(a) < key(b) ? 1 : -1));
  }
}

/** The code that reads heads is loaded with the first of them, not with the editor. */
const reading = () => Promise.all([import('../../runs/store/manifest.ts'), import('../../runs/store/runHead.ts')]);

function writerOf(holder: LeaseHolder | null, steered: boolean): KnownRun['writer'] {
  if (holder === null) return null;
  if (steered) return 'here';
  return holder.pid === process.pid && holder.host === hostname() ? 'here' : 'elsewhere';
}

/** 0 where there is none, or none that can be read: what reads it says why. */
async function sessionBytes(dir: RunDir): Promise<number> {
  try {
    return (await stat(runPaths(dir).sessions)).size;
  } catch {
    return 0;
  }
}
