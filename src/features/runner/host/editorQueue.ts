/** The queues of the workspace as the rest of the editor uses them: attached runs, places, requests. */
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../../../engine/ports.ts';
import { author } from '../../../launch/author.ts';
import type { RunFolder, RunFolders } from '../../../host/runs/runFolders.ts';
import type { QueuePlace } from '../../../host/runs/queuePlace.ts';
import type { ActiveRun, LandedRun, RunCatalog, RunDir, RunQueue } from '../../../host/runs/runs.ts';
import { SteerError } from '../../../host/runs/steerError.ts';
import type { HostKeys } from '../../../host/servers/hostKeys.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { append } from '../../../shared/append.ts';
import { defaultRetries, type Grant } from '../contract.ts';
import { lostBefore } from '../core/plan.ts';
import { inTurn, isOpen, type QueueEntry } from '../core/queue.ts';
import type { RunnerSight } from '../node/runnerFiles.ts';
import type { AttachedRun } from './attachedRun.ts';
import { ChangedStudies, isOpenStudy } from './changedStudies.ts';
import { FolderQueue } from './folderQueue.ts';
import { grantsAsked, grantsKept, grantsOfStudy } from './hostGrants.ts';
import { messageOf } from '../../../shared/messageOf.ts';

/** Milliseconds between two runners of one folder that a window begins by itself. */
const restartMs = 10_000;

export interface QueueNeeds {
  folders: RunFolders;
  catalog: RunCatalog & { touch(dir: RunDir): void };
  keys: HostKeys;
  clock: Clock;
  log: vscode.LogOutputChannel;
  /** The folder of built files. */
  dist: URL;
  version: string;
}

export class EditorQueue implements RunQueue, vscode.Disposable {
  readonly #needs: QueueNeeds;
  readonly #folders = new Map<string, FolderQueue>();
  readonly #active = new Map<RunDir, AttachedRun>();
  readonly #attaching = new Set<RunDir>();
  readonly #places = new Map<RunDir, QueuePlace>();
  /** When runners were begun again, by the folder: one that ends at once is not begun again and again. */
  readonly #restarted = new Map<string, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #progressed = new vscode.EventEmitter<ActiveRun>();
  readonly #activeChanged = new vscode.EventEmitter<void>();
  readonly #landed = new vscode.EventEmitter<LandedRun>();
  readonly #placesChanged = new vscode.EventEmitter<readonly RunDir[]>();
  readonly #sighted = new vscode.EventEmitter<FolderQueue>();
  readonly #failed = new vscode.EventEmitter<unknown>();
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidProgress = this.#progressed.event;
  readonly onDidChangeActive = this.#activeChanged.event;
  readonly onDidLand = this.#landed.event;
  readonly onDidChangePlaces = this.#placesChanged.event;
  /** Something about the queue of a folder is another than before. */
  readonly onDidSight = this.#sighted.event;
  /** Failures to report: a queue that cannot be read, a runner that does not start. */
  readonly onDidFail = this.#failed.event;
  readonly ready: Promise<void>;
  readonly studies: ChangedStudies;

  constructor(needs: QueueNeeds) {
    this.#needs = needs;
    const { folders, catalog, log } = needs;
    this.studies = new ChangedStudies({ studies: () => this.#openStudies(), log });
    this.#subscriptions = [
      folders.onDidChange(() => this.#follow()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        for (const queue of this.#folders.values()) void this.#keepRunning(queue);
      }),
      this.studies,
      ...[this.#progressed, this.#activeChanged, this.#landed, this.#placesChanged, this.#sighted, this.#failed],
    ];
    // Activation waits for no disk.
    this.ready = catalog.ready.then(async () => {
      this.#follow();
      await Promise.all([...this.#folders.values()].map((queue) => queue.look()));
    });
  }

  get active(): ReadonlyMap<RunDir, ActiveRun> {
    return this.#active;
  }

  get folders(): readonly FolderQueue[] {
    return [...this.#folders.values()];
  }

  place(dir: RunDir): QueuePlace | undefined {
    return this.#places.get(dir);
  }

  takes(of: vscode.Uri): boolean {
    return vscode.workspace.getConfiguration('genenv', of).get<string>('runs.where') === 'runner';
  }

  /** The queue that a run belongs to. @throws SteerError `no-folder` */
  of(dir: RunDir): FolderQueue {
    return this.at(this.#needs.folders.keeping(dir));
  }

  at(folder: RunFolder): FolderQueue {
    const known = this.#folders.get(folder.root);
    if (known !== undefined) return known;
    this.#follow();
    const found = this.#folders.get(folder.root);
    if (found === undefined) throw new SteerError('no-folder', vscode.l10n.t('No folder is open to keep runs in.'));
    return found;
  }

  async add(dir: RunDir, manifest: Pick<Manifest, 'id' | 'experiment' | 'servers'>): Promise<void> {
    const queue = this.of(dir);
    const grants = await grantsAsked(manifest, this.#needs.keys);
    const { workOf } = await import('../node/enqueue.ts');
    if (queue.sight?.holder != null) await queue.run(grants);
    if (this.#places.get(dir) === undefined) {
      const asked = { priority: 0, after: [], retries: defaultRetries, author: author() };
      await queue.add([await workOf(queue.folder.root, manifest, asked)]);
    }
    if (queue.sight?.held !== true) await queue.run(grants);
  }

  async pause(dir: RunDir): Promise<void> {
    const [queue, run] = [this.of(dir), basename(dir)];
    const type = this.#places.get(dir)?.state === 'running' ? 'pause' : 'remove';
    await queue.ask({ type, run });
  }

  /** Starts a runner on a folder, with the user's earlier consents. @throws RunnerError */
  async begin(queue: FolderQueue): Promise<void> {
    const { store } = queue.folder;
    const open = (queue.sight?.queue ?? []).filter(isOpen);
    const grants: Grant[] = [];
    for (const { run, study, copies } of open) {
      const { keys } = this.#needs;
      const kept = study === null ? grantsKept(await store(), run, keys) : grantsOfStudy(study, copies, this.#needs);
      append(grants, await kept);
    }
    await queue.run(grants);
  }

  dispose(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const queue of this.#folders.values()) queue.dispose();
    for (const run of this.#active.values()) run.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #openStudies(): { root: string; entry: QueueEntry; place: QueuePlace }[] {
    return this.folders.flatMap(({ folder: { root }, sight }) => {
      if (sight === null) return [];
      const placeOf = placesIn(sight);
      return sight.queue.filter(isOpenStudy).map((entry) => ({ root, entry, place: placeOf(entry) }));
    });
  }

  #follow(): void {
    const { folders, clock, log, dist, version } = this.#needs;
    const roots = new Set(folders.all.map(({ root }) => root));
    for (const [root, queue] of this.#folders) {
      if (roots.has(root)) continue;
      queue.dispose();
      this.#folders.delete(root);
    }
    for (const folder of folders.all) {
      if (this.#folders.has(folder.root)) continue;
      const onError = (error: unknown): void => this.#failed.fire(error);
      const queue = new FolderQueue(folder, { clock, log, dist, version, onError });
      this.#folders.set(folder.root, queue);
      queue.onDidChange((sight) => this.#take(queue, sight));
    }
  }

  #take(queue: FolderQueue, sight: RunnerSight): void {
    const { root } = queue.folder;
    const placeOf = placesIn(sight);
    const changed: RunDir[] = [];
    const open = new Set<RunDir>();
    for (const entry of sight.queue) {
      const dir = join(root, entry.run);
      if (!isOpen(entry) || entry.study !== null) continue;
      open.add(dir);
      const place = placeOf(entry);
      if (JSON.stringify(this.#places.get(dir)) === JSON.stringify(place)) continue;
      this.#places.set(dir, place);
      changed.push(dir);
    }
    for (const dir of this.#places.keys()) {
      if (dirname(dir) !== root || open.has(dir)) continue;
      this.#places.delete(dir);
      changed.push(dir);
      void this.#land(
        dir,
        sight.queue.find(({ run }) => run === basename(dir)),
      );
    }
    for (const entry of sight.queue) if (entry.study === null) this.#attach(join(root, entry.run), entry, sight);
    if (changed.length > 0) this.#placesChanged.fire(changed);
    this.#sighted.fire(queue);
    this.studies.queueChanged();
    void this.#keepRunning(queue);
  }

  #attach(dir: RunDir, { run, state }: QueueEntry, { holder, live }: RunnerSight): void {
    const attached = this.#active.get(dir);
    if (state !== 'running' || holder === null) {
      // Landing lets go of one that ended.
      if (attached !== undefined && (state === 'waiting' || state === 'running')) this.#letGo(dir);
      return;
    }
    const place = live?.running[run] ?? null;
    if (attached !== undefined) {
      if (attached.moveTo(place)) {
        // Its files may give no events.
        this.#needs.catalog.touch(dir);
        this.#progressed.fire(attached);
      }
      return;
    }
    if (this.#attaching.has(dir)) return;
    this.#attaching.add(dir);
    void this.#open(dir)
      .then((opened) => {
        if (this.#places.get(dir)?.state !== 'running') {
          opened?.dispose();
          return;
        }
        if (opened === undefined) return;
        opened.moveTo(place);
        this.#active.set(dir, opened);
        this.#needs.catalog.touch(dir);
        this.#activeChanged.fire();
        this.#progressed.fire(opened);
        opened.followed.onDidAppend(() => this.#progressed.fire(opened));
      })
      .finally(() => this.#attaching.delete(dir));
  }

  /** Undefined for one that cannot be read: the tree says why. */
  async #open(dir: RunDir): Promise<AttachedRun | undefined> {
    try {
      const followed = await this.#needs.catalog.follow(dir);
      const { AttachedRun: Attached } = await import('./attachedRun.ts');
      return new Attached(followed, this.#needs.clock, (task) => this.of(dir).said(basename(dir), task));
    } catch (error) {
      this.#needs.log.warn(`${dir}: ${messageOf(error)}`);
      return undefined;
    }
  }

  #letGo(dir: RunDir): void {
    const attached = this.#active.get(dir);
    if (attached === undefined) return;
    this.#active.delete(dir);
    attached.dispose();
    this.#needs.catalog.touch(dir);
    this.#activeChanged.fire();
  }

  /** It left the queue: its result is reported like that of the window's own runs. */
  async #land(dir: RunDir, entry: QueueEntry | undefined): Promise<void> {
    const run = entry === undefined ? undefined : (this.#active.get(dir) ?? (await this.#open(dir)));
    if (entry !== undefined && run !== undefined && entry.state !== 'waiting' && entry.state !== 'running') {
      // The queue may tell that it finished before the journal's last line was read.
      await run.followed.readOn();
      const { finished } = run.state;
      const error = entry.why === '' || entry.state === 'finished' ? {} : { error: new Error(entry.why) };
      const ending = finished === null ? {} : { ending: finished.reason };
      this.#landed.fire({ run, landing: { id: entry.run, state: entry.state, ...error, ...ending } });
    }
    if (run !== undefined && this.#active.get(dir) !== run) run.dispose();
    this.#letGo(dir);
  }

  #later(work: () => void, milliseconds: number): void {
    if (this.#timers.size > 0) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, milliseconds);
    this.#timers.add(timer);
  }

  /** A runner that was killed, whose machine stopped, or that ended while work came is replaced by another one, which continues its runs. */
  async #keepRunning(queue: FolderQueue): Promise<void> {
    const { sight, folder } = queue;
    if (sight === null || sight.holder !== null || (sight.closed && !queue.leftBehind) || sight.held) return;
    if (!vscode.workspace.isTrusted || !sight.queue.some(isOpen)) return;
    const wait = (this.#restarted.get(folder.root) ?? -Infinity) + restartMs - this.#needs.clock.now();
    if (wait > 0) {
      this.#later(() => void this.#keepRunning(queue), wait);
      return;
    }
    this.#restarted.set(folder.root, this.#needs.clock.now());
    try {
      await this.begin(queue);
      this.#needs.log.info(`${folder.root}: its runner had ended before its work was done; another one continues.`);
    } catch (error) {
      this.#failed.fire(error);
    }
  }
}

/** Runs and studies wait in one line. */
function placesIn(sight: RunnerSight): (entry: QueueEntry) => QueuePlace {
  const waiting = new Map(inTurn(sight.queue).map(({ run }, i) => [run, i + 1]));
  return (entry) => placeAt(entry, sight, waiting.get(entry.run) ?? 0);
}

function placeAt(entry: QueueEntry, { queue, holder, live, held }: RunnerSight, position: number): QueuePlace {
  const { run, state, member } = entry;
  const going = state === 'running';
  // A runner ends where nothing else is left.
  const wait = live?.waiting[run] ?? (held && !going ? { kind: 'held' as const } : lostBefore(entry, queue));
  return {
    state: going ? 'running' : 'waiting',
    ...{ position, wait: going ? null : wait, secondsLeft: live?.running[run]?.secondsLeft ?? null },
    ...{ runner: holder !== null, study: member },
  };
}
