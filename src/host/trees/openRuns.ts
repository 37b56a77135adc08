/** The runs that the trees have open, shared by all trees; those not shown are closed. */
import type { Disposable } from 'vscode';
import type { JournalEvent } from '../../shared/journal/events.ts';
import type { RunCatalog, RunDir } from '../runs/runs.ts';
import { OpenRun } from './openRun.ts';

/** So many are kept open though no tree shows them: people open and close the same few. */
const idleKept = 4;

/** A change of an open run. */
export interface RunNews {
  run: RunDir;
  events: readonly JournalEvent[];
}

export class OpenRuns implements Disposable {
  readonly #catalog: Pick<RunCatalog, 'follow' | 'get' | 'onDidChangeList'>;
  readonly #runs = new Map<RunDir, Promise<OpenRun>>();
  /** The trees that show a run, by name. */
  readonly #shown = new Map<RunDir, Set<string>>();
  readonly #listeners = new Set<(news: RunNews) => void>();
  readonly #subscription: Disposable;

  constructor(catalog: Pick<RunCatalog, 'follow' | 'get' | 'onDidChangeList'>) {
    this.#catalog = catalog;
    this.#subscription = catalog.onDidChangeList(() => {
      for (const run of this.#runs.keys()) if (catalog.get(run) === undefined) this.#close(run);
    });
  }

  /** @throws RunError */
  async open(run: RunDir): Promise<OpenRun> {
    const opening = this.#runs.get(run) ?? this.#follow(run);
    // Most recently used last.
    this.#runs.delete(run);
    this.#runs.set(run, opening);
    this.#closeIdle();
    return opening;
  }

  /** A tree shows a run's children, or no longer does. */
  show(run: RunDir, tree: string, shown: boolean): void {
    const trees = this.#shown.get(run) ?? new Set();
    if (shown) trees.add(tree);
    else trees.delete(tree);
    if (trees.size > 0) this.#shown.set(run, trees);
    else this.#shown.delete(run);
    this.#closeIdle();
  }

  /**
   * Reports all events appended to an open run, and with no events that one cannot be read further. @returns a function
   * that stops it
   */
  listen(listener: (news: RunNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#listeners.clear();
    for (const run of [...this.#runs.keys()]) this.#close(run);
  }

  async #follow(run: RunDir): Promise<OpenRun> {
    try {
      const followed = await this.#catalog.follow(run);
      return new OpenRun(followed, (events) => {
        for (const listener of this.#listeners) listener({ run, events });
      });
    } catch (error) {
      this.#runs.delete(run);
      throw error;
    }
  }

  #closeIdle(): void {
    const idle = [...this.#runs.keys()].filter((run) => !this.#shown.has(run));
    for (const run of idle.slice(0, Math.max(0, idle.length - idleKept))) this.#close(run);
  }

  #close(run: RunDir): void {
    const opening = this.#runs.get(run);
    this.#runs.delete(run);
    this.#shown.delete(run);
    void opening?.then(
      (open) => {
        open.dispose();
      },
      // The caller that requested it got the error.
      () => undefined,
    );
  }
}
