/** A person's reward function behind processes of its own: whatever it does, this process lives on. */
import { resolve } from 'node:path';
import type { TakenCoverage } from '../../shared/rewards/coverage.ts';
import type { RewardCall } from '../../shared/rewards/given.ts';
import type { RewardOutcome } from '../../shared/rewards/outcome.ts';
import { rewardLanguage } from '../../shared/rewards/rewardFile.ts';
import { RewardLoadError } from './rewardLoadError.ts';
import { RewardWorker } from './rewardWorker.ts';

export interface RewardHostOptions {
  /** Folder of built files. */
  dist: URL;
  /** What a Python file is run by, a path or a name. */
  python: string;
  /** Of one call. */
  seconds: number;
  /** That a process may take beside what it starts with. */
  megabytes: number;
  network: boolean;
  /** Processes. */
  workers: number;
  /** Whether outcomes tell what their calls went through. */
  coverage?: boolean;
}

/** Calls that are under way at once in a stream. */
const window = 1024;

export class RewardHost {
  readonly #workers: readonly RewardWorker[];
  /** Paths of everything of a person's own that the file loaded, itself included. */
  readonly files: readonly string[];
  /** What loading went through, where that was asked for. */
  readonly coverage: readonly TakenCoverage[];

  private constructor(workers: readonly RewardWorker[], files: readonly string[], coverage: readonly TakenCoverage[]) {
    this.#workers = workers;
    this.files = files;
    this.coverage = coverage;
  }

  /** @throws RewardLoadError when the file or what runs it cannot be used */
  static async open(file: string, { workers, coverage = false, ...options }: RewardHostOptions): Promise<RewardHost> {
    const path = resolve(file);
    const language = rewardLanguage(path);
    if (language === null) {
      throw new RewardLoadError('name', path, 'A reward file is named *.reward.ts, *.reward.js or *.reward.py.');
    }
    const limits = { ...options, coverage, file: path, language };
    const all = Array.from({ length: Math.max(1, workers) }, () => new RewardWorker(limits));
    // The first alone shows whether the file can be used; the others start with their first call.
    const [first] = all;
    const loaded = (await first?.open()) ?? { files: [], coverage: [] };
    return new RewardHost(all, loaded.files, loaded.coverage);
  }

  /** Never rejects: what goes wrong is the outcome. */
  judge(call: RewardCall): Promise<RewardOutcome> {
    const [first, ...others] = this.#workers;
    if (first === undefined) throw new Error('Unreachable: a host has a worker.');
    return others.reduce((least, worker) => (worker.load < least.load ? worker : least), first).judge(call);
  }

  /** Outcomes in the order of the calls. @throws the signal's reason when it is aborted */
  async *score(
    calls: AsyncIterable<RewardCall> | Iterable<RewardCall>,
    signal: AbortSignal,
  ): AsyncGenerator<RewardOutcome> {
    const under: Promise<RewardOutcome>[] = [];
    for await (const call of calls) {
      signal.throwIfAborted();
      under.push(this.judge(call));
      if (under.length < window) continue;
      for (const outcome of under.splice(0, window / 2)) yield await outcome;
    }
    for (const outcome of under) {
      signal.throwIfAborted();
      yield await outcome;
    }
  }

  dispose(): void {
    for (const worker of this.#workers) worker.dispose();
  }
}
