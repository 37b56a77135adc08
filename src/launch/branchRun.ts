/** A branch: a run that shares its parent's first epochs, and may judge what comes after them by another reward. */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../engine/ports.ts';
import { StateFold } from '../engine/state.ts';
import { experimentAt } from '../runs/journal/experimentNow.ts';
import { sourceOf } from '../runs/store/runPaths.ts';
import type { RunStore } from '../runs/store/runStore.ts';
import type { RunWriter } from '../runs/store/runWriter.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { keepReward, loadReward, readKept } from './scoring/reward.ts';

export interface BranchAsk {
  /** Of the parent. */
  run: string;
  /** The last epoch that both share. */
  epoch: number;
  experiment: Experiment;
  /** The reward file was named: it counts as it is now, and not as the parent keeps it. */
  namesReward: boolean;
  author: string;
  clock: Clock;
  /** The folder of built files. */
  dist: URL;
}

/** @returns its writer. @throws InputError where its reward cannot be used, or a case is judged wrong; what `RunStore.branch` throws */
export async function branchRun(store: RunStore, ask: BranchAsk): Promise<RunWriter> {
  const { run, epoch, experiment, author, clock, dist } = ask;
  const { before, directory, dir } = await parentOf(store, run, epoch);
  const from = before.reward.file;
  const to = experiment.reward.file;
  if (from === to && !ask.namesReward) return store.branch(run, epoch, experiment);
  const reward = await loadReward(experiment, directory, dist);
  if (from === to && (reward === null || isDeepStrictEqual(reward.kept, await readKept(dir)))) {
    return store.branch(run, epoch, experiment);
  }
  const writer = await store.branch(run, epoch, experiment);
  try {
    for (const name of ['reward', 'reward.json'])
      await rm(join(writer.dir, 'inputs', name), { recursive: true, force: true });
    await keepReward(writer.dir, reward);
    const fold = new StateFold();
    for await (const event of writer.events()) fold.add(event);
    // The epochs before it were judged by what the parent has: the journal says from where on this one judges.
    await writer.append({
      ...{ v: 1, seq: fold.state.seq, at: clock.now(), type: 'settings.changed', epoch: epoch + 1, author },
      changes: [{ field: 'reward.file', from, to }],
      ...(reward === null ? {} : { rewardFiles: reward.kept.files }),
    });
    return writer;
  } catch (error) {
    await writer.close();
    throw error;
  }
}

/** Its settings at the epoch, and the folder that relative file names start from. @throws RunError */
async function parentOf(
  store: RunStore,
  run: string,
  epoch: number,
): Promise<{ before: Experiment; directory: string; dir: string }> {
  const parent = await store.openReader(run);
  try {
    const before = await experimentAt(parent.manifest, parent.events(), epoch);
    const { dir } = parent;
    return { before, directory: dirname(sourceOf(dir, parent.manifest) ?? join(dir, 'run.json')), dir };
  } finally {
    await parent.close();
  }
}
