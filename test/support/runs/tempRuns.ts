/** A folder of runs that is gone after each test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunStore, type RunStoreDeps } from '../../../src/runs/store/runStore.ts';
import { resolveExperiment } from '../../../src/shared/experiment/resolve.ts';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';

export interface TempRuns {
  root: string;
  /** The logged messages. */
  told: string[];
  /** Milliseconds since the epoch; tests move it. */
  now: number;
  /** Another store on the same folder, with the same clock and log unless said. */
  store(deps?: Partial<RunStoreDeps>): RunStore;
}

export const experiment: Experiment = resolveExperiment({
  version: 1,
  name: 'Embedded demo',
  preset: 'embedded',
  mode: 'coevolve',
  seed: 1,
  epochs: 4,
});

/** Runs `test` with a fresh folder. */
export async function withTempRuns(test: (runs: TempRuns) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'genenv-runs-'));
  const runs: TempRuns = {
    root,
    told: [],
    now: Date.UTC(2026, 10, 21, 12, 14, 37),
    store: (deps = {}) =>
      new RunStore(root, {
        clock: { now: () => runs.now },
        log: { info: (line) => runs.told.push(line), warn: (line) => runs.told.push(line) },
        version: '0.1.0-test',
        ...deps,
      }),
  };
  try {
    await test(runs);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Everything of an async iterable. */
export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const value of values) gathered.push(value);
  return gathered;
}
