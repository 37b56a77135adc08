/** Files that a branch reads anew, in the place of its parent's copies. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../shared/experiment/schema.ts';
import { codeOf } from '../shared/systemError.ts';
import { InputError, ofName } from './inputs/inputError.ts';
import { keepInputs, loadOffline, offlineCopy, offlineIn, readHeldOut } from './inputs/inputs.ts';
import { readKeptFiles, replaceKept, type LoadedFiles, type Program } from './inputs/keptFiles.ts';
import type { OnLeftOut } from '../shared/leftOutTasks.ts';
import { keepTestSets, loadTestSets, readTestSets, testSetsIn } from './inputs/testSets.ts';
import { curriculumIn, loadCurriculum } from './scoring/curriculum.ts';
import { loadReward } from './scoring/reward.ts';

export interface BranchedFrom {
  /** The settings that a branch without changes has. */
  before: Experiment;
  /** The parent's folder. */
  dir: string;
  /** Relative file names start here. */
  directory: string;
  /** Whether attempts of the shared epochs are at tasks made elsewhere. */
  attemptedOffline: boolean;
}

export interface Fresh {
  /** Whether the parent's copies have the same content. */
  isKept: () => Promise<boolean>;
  /** Takes the place of the parent's copies in the branch's folder. */
  replace: (dir: string) => Promise<void>;
}

interface BranchedFile {
  field: string;
  /** The file that a run with these settings reads; null where it reads none. */
  readBy: (experiment: Experiment) => string | null;
  /** @throws InputError */
  load: (experiment: Experiment, from: BranchedFrom, dist: URL, onLeftOut: OnLeftOut) => Promise<Fresh>;
}

const ofProgram =
  (
    program: Program,
    load: (experiment: Experiment, directory: string, dist: URL) => Promise<LoadedFiles | null>,
  ): BranchedFile['load'] =>
  async (experiment, { directory, dir }, dist) => {
    const loaded = await load(experiment, directory, dist);
    return {
      isKept: async () => loaded === null || isDeepStrictEqual(loaded.kept, await readKeptFiles(dir, program)),
      replace: (branch) => replaceKept(branch, program, loaded),
    };
  };

export const branchedFiles: readonly BranchedFile[] = [
  { field: 'reward.file', readBy: ({ reward }) => reward.file, load: ofProgram('reward', loadReward) },
  { field: 'curriculum.reward.file', readBy: curriculumIn, load: ofProgram('curriculum', loadCurriculum) },
  { field: 'generation.offlineFile', readBy: offlineIn, load: loadOfflineAnew },
  {
    field: 'generation.testSets',
    readBy: testSetsIn,
    load: async (experiment, { before, directory, dir }, dist, onLeftOut) => {
      const loaded = await loadTestSets(experiment, directory, dist, onLeftOut);
      return {
        isKept: async () => isDeepStrictEqual(loaded, await readTestSets(before, dir)),
        replace: (branch) => keepTestSets(branch, loaded),
      };
    },
  },
];

/** Records name tasks made elsewhere by id alone: those of the shared epochs must stay what they were. */
async function loadOfflineAnew(
  experiment: Experiment,
  { dir, directory, attemptedOffline }: BranchedFrom,
  _dist: URL,
  onLeftOut: OnLeftOut,
): Promise<Fresh> {
  const texts = await loadOffline(experiment, directory, await readHeldOut(dir, experiment), onLeftOut);
  const copy = await readFile(join(dir, offlineCopy), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  const isSame = texts.get(offlineCopy) === copy;
  const file = offlineIn(experiment);
  if (attemptedOffline && file !== null && !isSame) {
    const message = l10n.t(
      'Its tasks are not those that the shared epochs attempted, to which the records of these epochs refer.',
    );
    const remedy = l10n.t('Branch from an epoch before the first attempt at such a task, or start a new run.');
    throw new InputError([ofName(resolve(directory, file), 'generation.offlineFile', message, remedy)]);
  }
  return { isKept: () => Promise.resolve(texts.size === 0 || isSame), replace: (branch) => keepInputs(branch, texts) };
}

/** Files that a branch reads anew, by their fields. @param named fields that were given for it */
export const readAnew = (before: Experiment, experiment: Experiment, named: readonly string[]): string[] =>
  branchedFiles.flatMap(({ field, readBy }) => {
    const to = readBy(experiment);
    return to !== null && (to !== readBy(before) || named.includes(field)) ? [field] : [];
  });
