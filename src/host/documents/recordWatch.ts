/** Reports growth of the records of runs that are shown. */
import { stat } from 'node:fs/promises';
import type { Disposable } from 'vscode';
import { runPaths } from '../../runs/store/runPaths.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';
import { Gatherer } from '../runs/gatherer.ts';
import type { RunCatalog, RunDir } from '../runs/runs.ts';
import type { OpenRuns } from '../trees/openRuns.ts';

/** Records have no file events: their size is polled at this interval, in milliseconds. */
const lookMs = 1000;
/** Shortest interval between reports, in milliseconds. */
const throttleMs = 500;

export interface RecordWatchNeeds {
  catalog: Pick<RunCatalog, 'get'>;
  open: OpenRuns;
  /** The runs that are shown now. */
  runs: () => Iterable<RunDir>;
  /** Must not throw. */
  grown: (runs: ReadonlySet<RunDir>) => Promise<void>;
}

export class RecordWatch implements Disposable {
  readonly #needs: RecordWatchNeeds;
  readonly #grown: Gatherer<RunDir>;
  /** Bytes of the traces when they were looked at last. */
  readonly #sizes = new Map<RunDir, number>();
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;

  constructor(needs: RecordWatchNeeds) {
    this.#needs = needs;
    this.#grown = new Gatherer(throttleMs, (runs) => needs.grown(runs));
    this.#timer = setInterval(() => void this.#look(), lookMs);
    this.#stopListening = needs.open.listen(({ run, events }) => {
      if (events.some(changesAttempts)) this.#grown.add(run);
    });
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#grown.dispose();
    this.#stopListening();
  }

  async #look(): Promise<void> {
    const runs = new Set(this.#needs.runs());
    for (const run of this.#sizes.keys()) if (!runs.has(run)) this.#sizes.delete(run);
    for (const run of runs) {
      if ((this.#needs.catalog.get(run)?.writer ?? null) === null) continue;
      const size = await stat(runPaths(run).traces.records).then(
        (found) => found.size,
        // Missing yet, or gone with its run: opening it reports that.
        () => 0,
      );
      const before = this.#sizes.get(run);
      this.#sizes.set(run, size);
      if (before !== size) this.#grown.add(run);
    }
  }
}

const changing: ReadonlySet<JournalEvent['type']> = new Set([
  ...(['rollouts.finished', 'families.scored', 'tasks.edited', 'verdicts.rescored', 'rescoring.withdrawn'] as const),
  // Whether updates learned from attempts.
  ...(['agent.updated', 'pools.grown'] as const),
]);

const changesAttempts = ({ type }: JournalEvent): boolean => changing.has(type);
