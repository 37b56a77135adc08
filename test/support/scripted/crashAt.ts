import assert from 'node:assert/strict';
import type { Experiment } from '../../../src/shared/experiment/schema.ts';
import { MemoryRun, runScripted, type RunOptions } from './scriptedRun.ts';

class Crash extends Error {}

/** Dies just before the append number `at`: nothing is written after it. */
export async function crashAt(
  experiment: Experiment,
  at: number,
  options: RunOptions | ((run: MemoryRun) => RunOptions),
): Promise<MemoryRun> {
  const run = new MemoryRun();
  const own = typeof options === 'function' ? options(run) : options;
  let appends = 0;
  const beforeAppend = (): void => {
    if (appends++ >= at) throw new Crash();
  };
  await assert.rejects(runScripted(experiment, run, { ...own, beforeAppend }), Crash);
  return run;
}
