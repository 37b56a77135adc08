/** The rows of the table: heads as the catalog has them, figures from journals as they are read. */
import { basename, dirname, join } from 'node:path';
import { experimentNow } from '../../../runs/journal/experimentNow.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import type { Manifest } from '../../../runs/store/manifest.ts';
import { RunError } from '../../../runs/store/runError.ts';
import type { KnownRun, RunCatalog, RunDir } from '../../../host/runs/runs.ts';
import type { RunFigures, RunRow } from '../contract.ts';
import { differingSettings } from '../core/differing.ts';
import { costOf, type Bill, type Prices } from '../core/cost.ts';
import { figuresOf } from '../core/figures.ts';
import { FigureReading } from '../node/readFigures.ts';

/** Journals read at once. */
const readers = 4;

type Known = Pick<RunCatalog, 'runs' | 'get' | 'manifest'>;

export interface RowsNeeds {
  catalog: Known;
  prices: () => Prices;
  /** More is known of these runs. */
  told: (dirs: readonly RunDir[]) => void;
  failed: (error: unknown) => void;
}

export class Rows {
  readonly #needs: RowsNeeds;
  readonly #figures = new Map<
    RunDir,
    { figures: Omit<RunFigures, 'cost'>; bill: Bill; band: RunRow['band'] | null; state: string }
  >();
  /** Of runs that are not over: read on from where they were. */
  readonly #readings = new Map<RunDir, FigureReading>();
  readonly #waiting = new Set<RunDir>();
  readonly #busy = new Map<RunDir, Promise<void>>();
  #differs = new Map<RunDir, string>();
  #working = 0;
  #disposed = false;

  constructor(needs: RowsNeeds) {
    this.#needs = needs;
  }

  /** All of them, newest first, with the known figures; the rest is read now. */
  all(): RunRow[] {
    const { runs } = this.#needs.catalog;
    this.#differ();
    for (const { dir, head } of runs) if (this.#figures.get(dir)?.state !== head.state) this.read(dir);
    const prices = this.#needs.prices();
    return runs.flatMap((run) => this.#row(run, prices) ?? []);
  }

  of(dirs: readonly RunDir[]): RunRow[] {
    const prices = this.#needs.prices();
    return dirs.flatMap((dir) => {
      const known = this.#needs.catalog.get(dir);
      return known === undefined ? [] : (this.#row(known, prices) ?? []);
    });
  }

  /** A run has grown. */
  read(dir: RunDir): void {
    this.#waiting.add(dir);
    while (this.#working < readers && this.#waiting.size > this.#working) {
      this.#working += 1;
      void this.#work().finally(() => (this.#working -= 1));
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#waiting.clear();
  }

  #differ(): void {
    const { runs, manifest } = bound(this.#needs.catalog);
    this.#differs = differingSettings(
      runs.flatMap(({ dir, head }) => {
        const own = manifest(dir);
        if (own === undefined) return [];
        const { experiment, source } = own;
        const of = head.label.study?.name ?? source ?? experiment.name;
        return [{ dir, group: `${dirname(dir)}\n${head.label.study === null ? '' : 'study'}\n${of}`, experiment }];
      }),
    );
  }

  async #work(): Promise<void> {
    for (const dir of this.#waiting) {
      if (this.#disposed) return;
      this.#waiting.delete(dir);
      // One reader a journal: each takes up where the last one was.
      const turn = (this.#busy.get(dir) ?? Promise.resolve()).then(() => this.#readOne(dir));
      const quiet = turn.catch(() => undefined);
      this.#busy.set(dir, quiet);
      try {
        await turn;
      } catch (error) {
        // The row stays without figures; opening the run reports its fault.
        if (!RunError.is(error)) this.#needs.failed(error);
      } finally {
        if (this.#busy.get(dir) === quiet) this.#busy.delete(dir);
      }
    }
  }

  async #readOne(dir: RunDir): Promise<void> {
    const { catalog, told } = this.#needs;
    const [known, manifest] = [catalog.get(dir), catalog.manifest(dir)];
    if (known === undefined || manifest === undefined) return;
    const { state } = known.head;
    const finished = state === 'finished';
    const reading = this.#readings.get(dir) ?? new FigureReading(runPaths(dir).journal);
    if (finished) this.#readings.delete(dir);
    else this.#readings.set(dir, reading);
    await reading.readOn();
    const experiment = experimentNow(manifest, { changes: reading.fold.settings });
    const figures = figuresOf(reading.fold, experiment, finished);
    const { totals, used } = reading.fold;
    const bill = { endpoints: experiment.endpoints, used, spent: totals };
    const { curriculum = null } = reading.fold.row(known.head.summary?.epoch ?? 0) ?? {};
    const band = curriculum && { alpha: curriculum.alpha, kMin: curriculum.kMin };
    this.#figures.set(dir, { figures, bill, band, state });
    told([dir]);
  }

  #row(known: KnownRun, prices: Prices): RunRow | null {
    const manifest = this.#needs.catalog.manifest(known.dir);
    if (manifest === undefined) return null;
    const { dir } = known;
    const read = this.#figures.get(dir);
    const figures = read === undefined ? null : { ...read.figures, cost: costOf(read.bill, prices) };
    const row = rowOf(known, manifest);
    return { ...row, band: read?.band ?? row.band, differs: this.#differs.get(dir) ?? '', figures };
  }
}

const bound = (catalog: Known) => ({ runs: catalog.runs, manifest: (dir: RunDir) => catalog.manifest(dir) });

function rowOf({ dir, head, writer }: KnownRun, { experiment, parent }: Manifest): Omit<RunRow, 'differs' | 'figures'> {
  const { id, name, state, mode, startedAt, epoch, current, epochs, summary, label } = head;
  const { tags, pinned, note, archived, study } = label;
  const { alpha, kMin } = experiment.curriculum;
  return {
    ...{ dir, id, name, experiment: head.experiment, state, mode, startedAt, epoch, current, epochs },
    successRate: summary?.successRate ?? null,
    inBand: summary?.inBand ?? null,
    band: { alpha, kMin },
    seed: experiment.seed,
    ...{ tags, pinned, note, archived, study },
    parent: parent && { dir: join(dirname(dir), basename(parent.run)), epoch: parent.epoch },
    written: writer !== null,
  };
}
