/** New verdicts beside the recorded ones, and their withdrawal: each is a journaled step. */
import * as l10n from '@vscode/l10n';
import { copyFile, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { sha256 } from '../files/sha256.ts';
import { StateFold, type Rescoring, type RunState } from '../../engine/state.ts';
import type { Clock } from '../../engine/ports.ts';
import { largest } from '../../shared/extremes.ts';
import { writeError } from '../files/fileErrors.ts';
import { nodeFiles } from '../files/fileOperations.ts';
import { RunError } from '../store/runError.ts';
import { runPaths, type RunPaths } from '../store/runPaths.ts';
import type { RunStore } from '../store/runStore.ts';
import type { RunWriter } from '../store/runWriter.ts';
import type { RescoreDraft } from './rescoreDraft.ts';
import { rescoredPaths } from './rescoredPaths.ts';

/** The reward that judged. */
export interface JudgingReward {
  /** Absolute path of the file. */
  path: string;
  /** Its text, and those of everything that it imports, by path from the folder that holds them all. */
  texts: ReadonlyMap<string, string>;
}

/** The verdicts to apply. */
export interface AppliedVerdicts {
  draft: RescoreDraft;
  reward: JudgingReward;
  flips: number;
  errors: number;
  author: string;
  clock: Clock;
}

/**
 * The run's records stay as they are, and nothing is trained on the new verdicts.
 * @throws RunError `in-use` while the run has a writer, `imported`, `disk-full`, `unwritable` and the errors of
 * `openWriter`
 */
export async function applyRescoring(store: RunStore, run: string, made: AppliedVerdicts): Promise<Rescoring> {
  const { draft, reward, flips, errors, author, clock } = made;
  await draft.flush();
  return writing(store, run, async (writer, state) => {
    const paths = runPaths(writer.dir);
    const rescoring = await keep(paths, draft, reward);
    await writer.keepRescoredIndex(rescoring, draft.columns);
    const files = Object.fromEntries([...reward.texts].map(([path, text]) => [path, sha256(text)]));
    const event: Rescoring = {
      ...{ v: 1, seq: state.seq, at: clock.now(), type: 'verdicts.rescored', epoch: newest(state), author, rescoring },
      reward: { path: relative(writer.dir, reward.path), files },
      ...{ epochs: draft.epochs, attempts: draft.count, flips, errors },
    };
    await writer.append(event);
    return event;
  });
}

/** The newest when none is named. The files stay. @throws RunError `not-found` when there is none, and as `applyRescoring` */
export async function takeBackRescoring(
  store: RunStore,
  run: string,
  { rescoring = null, author, clock }: { rescoring?: string | null; author: string; clock: Clock },
): Promise<Rescoring> {
  return writing(store, run, async (writer, state) => {
    const taken =
      rescoring === null ? state.rescorings.at(-1) : state.rescorings.find((one) => one.rescoring === rescoring);
    if (taken === undefined) {
      const what =
        rescoring === null
          ? l10n.t('no rescoring lies over this run’s verdicts')
          : l10n.t('no rescoring {0} lies over this run’s verdicts', rescoring);
      const remedy = l10n.t('Only verdicts that were applied, and not taken back since, can be.');
      throw new RunError('not-found', { path: writer.dir, what, remedy });
    }
    await writer.append({
      ...{ v: 1, seq: state.seq, at: clock.now(), type: 'rescoring.withdrawn', epoch: newest(state), author },
      rescoring: taken.rescoring,
    });
    return taken;
  });
}

async function writing<T>(
  store: RunStore,
  run: string,
  write: (writer: RunWriter, state: RunState) => Promise<T>,
): Promise<T> {
  const writer = await store.openWriter(run);
  try {
    const fold = new StateFold();
    for await (const event of writer.events()) fold.add(event);
    return await write(writer, fold.state);
  } finally {
    await writer.close();
  }
}

const newest = ({ open: under, summaries }: RunState): number => under?.epoch ?? summaries.length;

/**
 * Written to a hidden folder first, so that a crash leaves no partial one: folders that the journal does not name are
 * ignored.
 */
async function keep(paths: RunPaths, draft: RescoreDraft, reward: JudgingReward): Promise<string> {
  const hidden = join(paths.rescored, '.new');
  try {
    await rm(hidden, { recursive: true, force: true });
    await mkdir(hidden, { recursive: true });
    const records = join(hidden, basename(rescoredPaths(paths, '.new').records));
    await copyFile(draft.file, records);
    await synced(records);
    for (const [path, text] of reward.texts) {
      const file = join(hidden, 'reward', path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    const id = String(1 + Math.max(0, largest(await numbers(paths.rescored))));
    await rename(hidden, rescoredPaths(paths, id).dir);
    await nodeFiles.syncFolder(paths.rescored);
    return id;
  } catch (error) {
    throw writeError(error, paths.rescored);
  }
}

async function numbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).map(Number).filter((number) => Number.isInteger(number));
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
