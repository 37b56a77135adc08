/** A branch: a run that shares its parent's first epochs, and may judge later ones by another reward or curriculum. */
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
import { keepFiles, readKeptFiles, type LoadedFiles } from './inputs/keptFiles.ts';
import { curriculumIn, loadCurriculum } from './scoring/curriculum.ts';
import { loadReward } from './scoring/reward.ts';

export interface BranchAsk {
  /** Of the parent. */
  run: string;
  /** The last epoch that both share. */
  epoch: number;
  experiment: Experiment;
  /** The reward file was named explicitly: its current content counts, not the parent's copy. */
  namesReward: boolean;
  /** The same of the curriculum file. */
  namesCurriculum?: boolean;
  author: string;
  clock: Clock;
  /** The folder of built files. */
  dist: URL;
}

/**
 * @returns its writer. @throws InputError where its reward cannot be used, or a case is judged wrong; the errors of
 * `RunStore.branch`
 */
export async function branchRun(store: RunStore, ask: BranchAsk): Promise<RunWriter> {
  const { run, epoch, experiment, author, clock, dist } = ask;
  const { before, directory, dir } = await parentOf(store, run, epoch);
  const taken: Taken[] = [];
  for (const program of programs) {
    const [from, to] = [program.named(before), program.named(experiment)];
    if (from === to && !program.isNamed(ask)) continue;
    const loaded = await program.load(experiment, directory, dist);
    if (from === to && (loaded === null || isDeepStrictEqual(loaded.kept, await readKeptFiles(dir, program.of))))
      continue;
    taken.push({ of: program.of, field: program.field, from, to, loaded });
  }
  const writer = await store.branch(run, epoch, experiment);
  try {
    for (const { of, loaded } of taken) {
      for (const name of [of, `${of}.json`])
        await rm(join(writer.dir, 'inputs', name), { recursive: true, force: true });
      await keepFiles(writer.dir, of, loaded);
    }
    const fold = new StateFold();
    for await (const event of writer.events()) fold.add(event);
    // The parent's program judged the earlier epochs: the journal records where this one takes over.
    for (const [i, { of, field, from, to, loaded }] of taken.entries()) {
      await writer.append({
        ...{ v: 1, seq: fold.state.seq + i, at: clock.now(), type: 'settings.changed', epoch: epoch + 1, author },
        changes: [{ field, from, to }],
        ...(of !== 'curriculum' && loaded !== null && { rewardFiles: loaded.kept.files }),
      });
    }
    return writer;
  } catch (error) {
    await writer.close();
    throw error;
  }
}

/** A program whose file a branch takes anew. */
interface Taken {
  of: 'reward' | 'curriculum';
  field: string;
  from: string | null;
  to: string | null;
  loaded: LoadedFiles | null;
}

type Named = Pick<BranchAsk, 'namesReward' | 'namesCurriculum'>;

const programs = [
  {
    ...{ of: 'reward' as const, field: 'reward.file', load: loadReward },
    named: ({ reward }: Experiment) => reward.file,
    isNamed: ({ namesReward }: Named) => namesReward,
  },
  {
    ...{ of: 'curriculum' as const, field: 'curriculum.reward.file', load: loadCurriculum },
    named: curriculumIn,
    isNamed: ({ namesCurriculum = false }: Named) => namesCurriculum,
  },
];

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
