/** A catalog over real run folders without the editor: a test says when something was appended. */
import type * as vscode from 'vscode';
import type { FollowedRun, KnownRun, RunCatalog, RunDir } from '../../../src/host/runs/runs.ts';
import { JournalFollower } from '../../../src/runs/journal/journalFollower.ts';
import { lineageOf } from '../../../src/runs/journal/lineage.ts';
import type { RunError } from '../../../src/runs/store/runError.ts';
import { runPaths } from '../../../src/runs/store/runPaths.ts';
import type { RunStore } from '../../../src/runs/store/runStore.ts';
import type { FamilyScore, JournalEvent } from '../../../src/shared/journal/events.ts';

/** The behaviour of the editor's own emitter. */
class Emitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: vscode.Event<T> = (listener) => {
    this.#listeners.add(listener);
    return new Subscription(() => this.#listeners.delete(listener));
  };

  get listeners(): number {
    return this.#listeners.size;
  }

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
}

class Subscription {
  readonly #end: () => unknown;

  constructor(end: () => unknown) {
    this.#end = end;
  }

  dispose(): void {
    this.#end();
  }
}

type Catalog = Pick<
  RunCatalog,
  'runs' | 'problems' | 'ready' | 'get' | 'follow' | 'onDidChangeList' | 'onDidChangeRuns'
>;

export class ScriptedCatalog implements Catalog {
  readonly #store: RunStore;
  readonly #list = new Emitter<void>();
  readonly #heads = new Emitter<readonly RunDir[]>();
  readonly #following = new Map<RunDir, { journal: JournalFollower; told: Emitter<readonly JournalEvent[]> }>();
  runs: KnownRun[] = [];
  problems: { dir: RunDir; error: RunError }[] = [];
  /** Epochs whose families were read from the journal, in order. */
  readonly read: number[] = [];
  /** Followers that were given out and not given back. */
  followers = 0;
  readonly ready = Promise.resolve();
  readonly onDidChangeList = this.#list.event;
  readonly onDidChangeRuns = this.#heads.event;

  constructor(store: RunStore) {
    this.#store = store;
  }

  get(dir: RunDir): KnownRun | undefined {
    return this.runs.find((run) => run.dir === dir);
  }

  /** Reads the folder again and tells that the list is another one. */
  async look(): Promise<void> {
    const { runs } = await this.#store.scan();
    this.runs = runs.map((head) => ({ dir: `${this.#store.root}/${head.id}`, head, writer: null }));
    this.#list.fire();
  }

  tellHeads(runs: readonly RunDir[]): void {
    this.#heads.fire(runs);
  }

  async follow(dir: RunDir): Promise<FollowedRun> {
    const reader = await this.#store.openReader(dir.split('/').at(-1) ?? '');
    const journal = new JournalFollower(runPaths(dir).journal, await lineageOf(dir, reader.manifest));
    await Array.fromAsync(journal.poll());
    const told = new Emitter<readonly JournalEvent[]>();
    const failed = new Emitter<RunError>();
    this.#following.set(dir, { journal, told });
    this.followers += 1;
    const { read } = this;
    const end = async (): Promise<void> => {
      this.followers -= 1;
      await reader.close();
    };
    return {
      dir,
      manifest: reader.manifest,
      reader,
      whole: Promise.resolve(),
      get state() {
        return journal.state;
      },
      facts: journal.facts,
      get scoredEpochs() {
        return journal.scoredEpochs;
      },
      experiment: reader.manifest.experiment,
      onDidAppend: told.event,
      onDidFail: failed.event,
      readOn: () => this.poll(dir),
      familiesOf(epoch: number): Promise<readonly FamilyScore[]> {
        read.push(epoch);
        return journal.familiesOf(epoch);
      },
      dispose: () => {
        void end();
      },
    };
  }

  /** Takes in what was appended to a run, as file events would. */
  async poll(dir: RunDir): Promise<void> {
    const following = this.#following.get(dir);
    if (following === undefined) return;
    for await (const batch of following.journal.poll()) following.told.fire(batch);
  }
}
