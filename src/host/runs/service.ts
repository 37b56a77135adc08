/** Actions on runs: the only path to them for commands, trees, panels and editors. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '../../engine/ports.ts';
import type { Rescoring } from '../../engine/state.ts';
import type { BranchAsk } from '../../launch/branchRun.ts';
import type { Keys } from '../../launch/access/keys.ts';
import { tracesSettings } from '../servers/tracesSettings.ts';
import type { LeftOutTasks } from '../../shared/leftOutTasks.ts';
import type { Landing, Launch } from '../../launch/launch.ts';
import type { EditOutcome } from '../../runs/records/editTasks.ts';
import type { AppliedVerdicts } from '../../runs/rescored/applyRescoring.ts';
import type { LabelChange } from '../../runs/store/runLabel.ts';
import { runPaths } from '../../runs/store/runPaths.ts';
import type { RunStore } from '../../runs/store/runStore.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { TaskEdit } from '../../shared/records/taskEdit.ts';
import { eventLine, runLog } from '../feedback/log.ts';
import { author } from '../../launch/author.ts';
import type { Catalog } from './catalog.ts';
import type { Execution } from './execution.ts';
import { Gatherer } from './gatherer.ts';
import type { RunFolders } from './runFolders.ts';
import type { ActiveRun, LandedRun, RunDir, RunQueue, RunService, StartRequest } from './runs.ts';
import { requireTrust, SteerError } from './steerError.ts';

/** Shortest interval between reports of progress. */
const throttleMs = 250;
/** A run that is held up reports nothing by itself, and what is shown of it must not stand. */
const agingMs = 20_000;

export interface ServiceNeeds {
  folders: RunFolders;
  catalog: Catalog;
  queue: RunQueue;
  /** The folder of built files. */
  dist: URL;
  clock: Clock;
  keys: Keys;
  log: vscode.LogOutputChannel;
}

export class Service implements RunService {
  readonly #needs: ServiceNeeds;
  readonly #active = new Map<RunDir, Execution>();
  readonly #progressed = new vscode.EventEmitter<ActiveRun>();
  readonly #landed = new vscode.EventEmitter<LandedRun>();
  readonly #activeChanged = new vscode.EventEmitter<void>();
  readonly #telling: Gatherer<Execution>;
  readonly #disposables: vscode.Disposable;
  /** Ends waits for other processes. */
  readonly #closing = new AbortController();

  readonly onDidProgress = this.#progressed.event;
  readonly onDidLand = this.#landed.event;
  readonly onDidChangeActive = this.#activeChanged.event;

  constructor(needs: ServiceNeeds) {
    this.#needs = needs;
    this.#telling = new Gatherer(throttleMs, (executions) => {
      for (const execution of executions) if (this.#active.has(execution.dir)) this.#progressed.fire(execution);
    });
    const aging = setInterval(() => {
      for (const run of this.active.values()) this.#progressed.fire(run);
    }, agingMs);
    const { queue } = needs;
    this.#disposables = vscode.Disposable.from(
      new vscode.Disposable(() => clearInterval(aging)),
      queue.onDidProgress((run) => this.#progressed.fire(run)),
      queue.onDidChangeActive(() => this.#activeChanged.fire()),
      queue.onDidLand((landed) => this.#landed.fire(landed)),
    );
  }

  get active(): ReadonlyMap<RunDir, ActiveRun> {
    const { active } = this.#needs.queue;
    return active.size === 0 ? this.#active : new Map([...active, ...this.#active]);
  }

  async start({ experiment, file }: StartRequest): Promise<RunDir> {
    requireTrust();
    const folder = this.#needs.folders.of(file);
    const directory = dirname(file.fsPath);
    if (this.#needs.queue.takes(file)) {
      const { makeRun } = await import('../../launch/launch.ts');
      const start = { experiment, directory, file: file.fsPath };
      const writer = await makeRun(await folder.store(), start, this.#needs.dist, this.#needs.log);
      await writer.session({ type: 'paused', reason: 'Waits in the queue.' });
      await writer.close();
      this.#needs.catalog.touch(writer.dir);
      await this.#needs.queue.add(writer.dir, writer.manifest);
      return writer.dir;
    }
    return this.#execute(await folder.store(), { experiment, directory, file: file.fsPath }, experiment);
  }

  async resume(dir: RunDir): Promise<void> {
    requireTrust();
    if (this.#active.has(dir)) return;
    const { store, id } = await this.#needs.folders.locate(dir);
    const manifest = await this.#needs.folders.reading(dir, async (reader) => {
      if ((await reader.head()).state === 'finished') throw finished();
      return reader.manifest;
    });
    const { queue } = this.#needs;
    if (queue.place(dir) !== undefined || queue.takes(vscode.Uri.file(dir))) await queue.add(dir, manifest);
    else await this.#execute(store, { resume: id }, manifest.experiment);
  }

  async pause(dir: RunDir, when: 'now' | 'boundary'): Promise<void> {
    requireTrust();
    const execution = this.#active.get(dir);
    if (execution !== undefined) {
      execution.pause(when);
      this.#telling.add(execution);
      return;
    }
    const place = this.#needs.queue.place(dir);
    if (place?.state === 'waiting' || (place?.runner === true && when === 'now')) {
      await this.#needs.queue.pause(dir);
      return;
    }
    await this.#needs.folders.reading(dir, async (reader) => {
      if ((await reader.head()).state !== 'running') {
        throw new SteerError('idle', vscode.l10n.t('This run is not running, so there is nothing to pause.'));
      }
      if (when === 'now') {
        throw new SteerError(
          'elsewhere',
          vscode.l10n.t('Another process runs it; only that process can pause it immediately.'),
          {
            remedy: vscode.l10n.t('Pause it at the next phase boundary, or where it was started.'),
          },
        );
      }
      await reader.inbox.post({ type: 'pause', author: author() });
    });
  }

  async stop(dir: RunDir): Promise<void> {
    requireTrust();
    const execution = this.#active.get(dir);
    if (execution !== undefined) {
      execution.end('stopped', 'Stopped.');
      this.#telling.add(execution);
      await execution.landed;
      return;
    }
    const { store, id } = await this.#needs.folders.locate(dir);
    await this.#untilIdle(dir);
    const writer = await store.openWriter(id);
    try {
      await writer.session({ type: 'stopped' });
      const { keys, log } = this.#needs;
      const { stopJobs } = await import('../../launch/policies/stopJobs.ts');
      await stopJobs(dir, writer.manifest.experiment, keys, runLog(log));
    } finally {
      await writer.close();
      this.#needs.catalog.touch(dir);
    }
  }

  async branch(dir: RunDir, epoch: number, asked: Pick<BranchAsk, 'experiment' | 'named'>): Promise<RunDir> {
    requireTrust();
    const { store, id } = await this.#needs.folders.locate(dir);
    const { clock, dist, log } = this.#needs;
    const { branchRun } = await import('../../launch/branchRun.ts');
    const { leftOutLine } = await import('../../shared/leftOutTasks.ts');
    const onLeftOut = (found: LeftOutTasks): void => log.warn(leftOutLine(found));
    const writer = await branchRun(store, { run: id, epoch, ...asked, author: author(), clock, dist, onLeftOut });
    await writer.close();
    this.#needs.catalog.touch(writer.dir);
    return writer.dir;
  }

  async change(dir: RunDir, changes: readonly string[]): Promise<void> {
    requireTrust();
    const { requestChange } = await import('../../runs/journal/requestChange.ts');
    await this.#needs.folders.reading(dir, (reader) => requestChange(reader, changes, author()));
  }

  async editTasks(dir: RunDir, edits: readonly TaskEdit[]): Promise<EditOutcome> {
    requireTrust();
    const { store, id } = await this.#needs.folders.locate(dir);
    const { editTasks } = await import('../../runs/records/editTasks.ts');
    const outcome = await editTasks(store, id, { edits, author: author(), clock: this.#needs.clock });
    this.#needs.catalog.touch(dir);
    return outcome;
  }

  async label(dir: RunDir, change: LabelChange): Promise<void> {
    requireTrust();
    // Refuses a folder that is none of ours.
    await this.#needs.folders.locate(dir);
    const { changeLabel } = await import('../../runs/store/runLabel.ts');
    await changeLabel(dir, change, { clock: this.#needs.clock });
    this.#needs.catalog.touch(dir);
  }

  async applyRescoring(dir: RunDir, made: Omit<AppliedVerdicts, 'author' | 'clock'>): Promise<Rescoring> {
    requireTrust();
    const { store, id } = await this.#needs.folders.locate(dir);
    const { applyRescoring } = await import('../../runs/rescored/applyRescoring.ts');
    const applied = await applyRescoring(store, id, { ...made, author: author(), clock: this.#needs.clock });
    this.#needs.catalog.touch(dir);
    return applied;
  }

  async takeBackRescoring(dir: RunDir): Promise<{ by: string }> {
    requireTrust();
    const { store, id } = await this.#needs.folders.locate(dir);
    const { takeBackRescoring } = await import('../../runs/rescored/applyRescoring.ts');
    const taken = await takeBackRescoring(store, id, { author: author(), clock: this.#needs.clock });
    this.#needs.catalog.touch(dir);
    return { by: taken.reward.path };
  }

  async remove(dir: RunDir, how: 'trash' | 'for-good' = 'trash'): Promise<void> {
    requireTrust();
    const { store, id } = await this.#needs.folders.locate(dir);
    if (how === 'for-good') await store.remove(id);
    else await this.#toTrash(dir, store, id);
    this.#needs.catalog.touch(dir);
  }

  /** Ends this window's runs as interrupted, so that they are offered again, and waits for it. */
  async shutDown(): Promise<void> {
    const executions = [...this.#active.values()];
    for (const execution of executions) execution.end('interrupted', 'The window was closed.');
    await Promise.all(executions.map(({ landed }) => landed));
  }

  dispose(): void {
    this.#closing.abort();
    void this.shutDown();
    this.#telling.dispose();
    this.#disposables.dispose();
    for (const emitter of [this.#progressed, this.#landed, this.#activeChanged]) emitter.dispose();
  }

  async #execute(store: RunStore, start: Launch['start'], experiment: Experiment): Promise<RunDir> {
    const { catalog, dist, clock, keys, log } = this.#needs;
    const touch = (): void => {
      catalog.touch(execution.dir);
      this.#telling.add(execution);
    };
    const take = (event: JournalEvent): void => {
      const line = eventLine(event);
      if (line !== null) log.info(`${basename(execution.dir)}: ${line}`);
      touch();
    };
    // The loop and its endpoints are loaded with the first run, not with the editor.
    const [module, { targetOfSettings }] = await Promise.all([
      import('./execution.ts'),
      import('../../launch/traced/target.ts'),
    ]);
    const execution: Execution = await module.Execution.begin({
      store,
      start,
      experiment,
      dist,
      clock,
      keys,
      traces: targetOfSettings(tracesSettings(), keys),
      log: runLog(log),
      onEvent: take,
      onProgress: () => this.#telling.add(execution),
    });
    const { dir } = execution;
    log.info(`${basename(dir)}: ${'resume' in start ? 'resumed' : 'started'}`);
    this.#active.set(dir, execution);
    touch();
    this.#activeChanged.fire();
    void execution.landed.then((landing) => this.#land(execution, landing));
    return dir;
  }

  #land(execution: Execution, landing: Landing): void {
    const { dir } = execution;
    const { catalog, log } = this.#needs;
    this.#active.delete(dir);
    catalog.touch(dir);
    log.info(`${basename(dir)}: ${landing.state}`);
    if (landing.error !== undefined) log.error(landing.error);
    this.#activeChanged.fire();
    this.#landed.fire({ run: execution, landing });
  }

  async #leaveQueue(dir: RunDir): Promise<void> {
    const { queue } = this.#needs;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const look = (): void => {
      if (queue.place(dir) === undefined) resolve(undefined);
    };
    const subscription = queue.onDidChangePlaces(look);
    try {
      await queue.pause(dir);
      look();
      await promise;
    } finally {
      subscription.dispose();
    }
  }

  /** Sees that nothing writes the run and that no queue holds it; once more where it was resumed meanwhile. @throws SteerError `finished` */
  async #untilIdle(dir: RunDir): Promise<void> {
    const { clock, folders, queue } = this.#needs;
    for (;;) {
      const { state } = await folders.reading(dir, (reader) => reader.head());
      if (state === 'finished') throw finished();
      if (queue.place(dir) !== undefined) await this.#leaveQueue(dir);
      else if (state === 'running') {
        await this.#pauseElsewhere(dir);
        const { untilReleased } = await import('../../runs/lease/untilReleased.ts');
        await untilReleased(runPaths(dir).lease, clock, this.#closing.signal);
      } else return;
    }
  }

  async #pauseElsewhere(dir: RunDir): Promise<void> {
    try {
      await this.pause(dir, 'boundary');
    } catch (error) {
      // It has just ended by itself.
      if (!SteerError.is(error, 'idle')) throw error;
    }
  }

  async #toTrash(dir: RunDir, store: RunStore, id: string): Promise<void> {
    await store.refuseInUse(id);
    await this.#needs.catalog.letGo(dir);
    try {
      await vscode.workspace.fs.delete(vscode.Uri.file(dir), { recursive: true, useTrash: true });
    } catch (error) {
      throw new SteerError('no-trash', vscode.l10n.t('{0} could not be moved to the trash.', id), { cause: error });
    }
  }
}

const finished = (): SteerError =>
  new SteerError('finished', vscode.l10n.t('This run is finished: there is nothing to resume.'), {
    remedy: vscode.l10n.t('Branch from one of its epochs, or rerun it with changes.'),
  });
