/** One run's journal, read once and followed; shared by all its users. */
import * as vscode from 'vscode';
import { experimentNow } from '../../runs/journal/experimentNow.ts';
import { lineageOf, type Lineage } from '../../runs/journal/lineage.ts';
import { JournalFollower } from '../../runs/journal/journalFollower.ts';
import { RunError } from '../../runs/store/runError.ts';
import { runPaths } from '../../runs/store/runPaths.ts';
import type { RunReader } from '../../runs/store/runReader.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { FamilyScore, JournalEvent } from '../../shared/journal/events.ts';
import type { FollowedRun, RunDir } from './runs.ts';

/** The one reader behind all the followers of a run. */
export class SharedRun {
  readonly dir: RunDir;
  readonly reader: RunReader;
  readonly journal: JournalFollower;
  /** Resolves when the existing events have been read. @throws RunError when the journal cannot be read to its end */
  readonly whole: Promise<void>;
  readonly #appended = new vscode.EventEmitter<readonly JournalEvent[]>();
  readonly #failed = new vscode.EventEmitter<RunError>();
  #experiment: { changes: number; value: Experiment };
  #polling: Promise<void> | null = null;
  /** Requests during a reading, which may already have passed the appended events. */
  #asked = 0;
  #closed = false;

  readonly onDidAppend = this.#appended.event;
  readonly onDidFail = this.#failed.event;

  private constructor(dir: RunDir, reader: RunReader, lineage: Lineage) {
    this.dir = dir;
    this.reader = reader;
    const { experiment } = reader.manifest;
    this.journal = new JournalFollower(runPaths(dir).journal, lineage);
    this.#experiment = { changes: 0, value: experiment };
    this.whole = this.#takeAll();
    this.#polling = this.#finish(this.whole);
  }

  /** Begins to read. @throws RunError when there is no such run */
  static async open(dir: RunDir, open: () => Promise<RunReader>): Promise<SharedRun> {
    const reader = await open();
    return new SharedRun(dir, reader, await lineageOf(dir, reader.manifest));
  }

  /** The settings in force; kept from one change to the next. */
  get experiment(): Experiment {
    const { state } = this.journal;
    if (state.changes.length !== this.#experiment.changes) {
      this.#experiment = { changes: state.changes.length, value: experimentNow(this.reader.manifest, state) };
    }
    return this.#experiment.value;
  }

  /** Reads appended events. Never throws: `onDidFail` reports errors. */
  poll(): Promise<void> {
    if (this.#polling !== null) {
      this.#asked += 1;
      return this.#polling;
    }
    this.#polling = this.#finish(this.#takeAll());
    return this.#polling;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#polling;
    this.#appended.dispose();
    this.#failed.dispose();
    await this.reader.close();
  }

  async #takeAll(): Promise<void> {
    for await (const batch of this.journal.poll()) {
      if (this.#closed) return;
      this.#appended.fire(batch);
    }
  }

  /** @param reading in progress; requests meanwhile are read after it */
  async #finish(reading: Promise<void>): Promise<void> {
    let answered = this.#asked;
    try {
      await reading;
      while (answered < this.#asked) {
        answered = this.#asked;
        await this.#takeAll();
      }
    } catch (error) {
      if (!RunError.is(error)) throw error;
      this.#failed.fire(error);
    } finally {
      // Not after it resolved: requests in between would be lost.
      this.#polling = null;
    }
  }
}

/** One follower's share; disposing it releases the share. */
export class Follower implements FollowedRun {
  readonly #run: SharedRun;
  readonly #release: () => void;
  readonly #subscriptions: vscode.Disposable[] = [];
  #released = false;

  readonly onDidAppend: vscode.Event<readonly JournalEvent[]>;
  readonly onDidFail: vscode.Event<RunError>;

  constructor(run: SharedRun, release: () => void) {
    this.#run = run;
    this.#release = release;
    this.onDidAppend = this.#own(run.onDidAppend);
    this.onDidFail = this.#own(run.onDidFail);
  }

  get dir() {
    return this.#run.dir;
  }

  get manifest() {
    return this.#run.reader.manifest;
  }

  get reader() {
    return this.#run.reader;
  }

  get whole() {
    return this.#run.whole;
  }

  get state() {
    return this.#run.journal.state;
  }

  get facts() {
    return this.#run.journal.facts;
  }

  get scoredEpochs() {
    return this.#run.journal.scoredEpochs;
  }

  get experiment() {
    return this.#run.experiment;
  }

  readOn(): Promise<void> {
    return this.#run.poll();
  }

  familiesOf(epoch: number): Promise<readonly FamilyScore[]> {
    return this.#run.journal.familiesOf(epoch);
  }

  dispose(): void {
    if (this.#released) return;
    this.#released = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#release();
  }

  /** Listeners of one follower end with it, though the run is followed on by others. */
  #own<T>(event: vscode.Event<T>): vscode.Event<T> {
    return (listener, self, disposables) => {
      const subscription = event(listener, self, disposables);
      this.#subscriptions.push(subscription);
      return subscription;
    };
  }
}
