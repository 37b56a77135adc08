/** Reads the verdicts that override a run's recorded ones. */
import type { Rescoring } from '../../engine/state.ts';
import type { Rescored } from '../../shared/records/rescored.ts';
import type { Trace, Verdict } from '../../shared/records/trace.ts';
import { persistIndex } from '../index/persistIndex.ts';
import { RecordLog } from '../records/recordLog.ts';
import type { RunPaths } from '../store/runPaths.ts';
import { rescoredKind } from './rescoredKind.ts';
import { rescoredPaths } from './rescoredPaths.ts';
import type { RunContext } from '../store/runContext.ts';

/** Fewer are read again as fast. */
const worthIndexing = 1000;

/** The newest verdict of an attempt, and which rescoring gave it. */
export interface NewVerdict {
  verdict: Verdict;
  by: Rescoring;
}

export class RescoredVerdicts {
  readonly #paths: RunPaths;
  readonly #context: RunContext;
  readonly #logs = new Map<string, RecordLog<Rescored>>();

  constructor(paths: RunPaths, context: RunContext) {
    this.#paths = paths;
    this.#context = context;
  }

  /**
   * Null where only the recorded one counts.
   * @param rescorings in force, the newest last
   * @throws RunError `format`, `version`, `unreadable`
   */
  async of(rescorings: readonly Rescoring[], { id, epoch }: Pick<Trace, 'id' | 'epoch'>): Promise<NewVerdict | null> {
    for (const by of rescorings.toReversed()) {
      if (epoch < by.epochs.first || epoch > by.epochs.last) continue;
      const log = this.#log(by.rescoring);
      await log.refresh();
      // It never grows: the first reader stores its index for all.
      if (log.columns.count - log.indexedRows >= worthIndexing) await persistIndex(log, this.#context);
      const found = await log.byId(id);
      if (found !== undefined) return { verdict: found.verdict, by };
    }
    return null;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.close()));
    this.#logs.clear();
  }

  #log(id: string): RecordLog<Rescored> {
    const log = this.#logs.get(id) ?? new RecordLog(rescoredKind, rescoredPaths(this.#paths, id));
    this.#logs.set(id, log);
    return log;
  }
}
