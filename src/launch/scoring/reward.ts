/**
 * A person's own reward in a run: read before the run is made, kept in its `inputs/` with everything that it imports by a
 * relative path, and opened from there, so that the run explains itself and a resumed one judges as before.
 */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Judge } from '../../engine/ports.ts';
import { RewardHost } from '../../rewards/processes/rewardHost.ts';
import { RewardLoadError } from '../../rewards/processes/rewardLoadError.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { rewardCall } from '../../shared/rewards/given.ts';
import { rewardLanguage } from '../../shared/rewards/rewardFile.ts';
import { recordedVerdict } from '../../shared/rewards/outcome.ts';
import { absentFile, InputError, ofName } from '../inputs/inputError.ts';
import { insistOnCopy } from '../inputs/loadsFromCopy.ts';
import { keepFiles, loadedFiles, readKeptFiles, type KeptFiles, type LoadedFiles } from '../inputs/keptFiles.ts';
import { pythonInUse } from '../domains/pythonInUse.ts';
import { insistOnCases } from './rewardCases.ts';

/** Null where the experiment names none. @throws InputError at the line that does not load, or the case that is judged wrong */
export async function loadReward(experiment: Experiment, directory: string, dist: URL): Promise<LoadedFiles | null> {
  if (experiment.reward.file === null) return null;
  const main = resolve(directory, experiment.reward.file);
  const byJobs = experiment.endpoints.agent.kind === 'verl' && experiment.agent.train;
  if (byJobs && ['typescript', 'javascript'].includes(rewardLanguage(main) ?? '')) {
    const message = l10n.t('A job of verl judges its attempts on the cluster, where a reward must be in Python.');
    throw problem(main, message, l10n.t('Write it as *.reward.py, or train the agent at another kind of endpoint.'));
  }
  const host = await openReward(experiment, main, dist, 1);
  try {
    await insistOnCases(host, main);
  } finally {
    host.dispose();
  }
  const loaded = await loadedFiles(main, host.files);
  await insistOnCopy(loaded, 'reward', main, (copy) => openReward(experiment, copy, dist, 1));
  return loaded;
}

/** Puts the copies into a new run's folder. */
export const keepReward = (dir: string, reward: LoadedFiles | null): Promise<void> => keepFiles(dir, 'reward', reward);

export interface OpenJudge extends Judge {
  close(): void;
}

/** The run's own copy, ready to judge; null where the domain's scorer judges. @throws InputError */
export async function openJudge(experiment: Experiment, dir: string, dist: URL): Promise<OpenJudge | null> {
  if (experiment.reward.file === null) return null;
  const kept = await readKept(dir);
  const file = join(dir, 'inputs', 'reward', kept.file);
  const host = await openReward(experiment, file, dist, Math.max(1, Math.min(4, availableParallelism() - 1)));
  return { ...judgeOf(host), close: () => host.dispose() };
}

/** Verdicts of a reward file, as they are recorded. */
export const judgeOf = (host: RewardHost): Judge => ({
  judge: async (task, trace) => recordedVerdict(await host.judge(rewardCall(task, trace))),
});

/** A run's copy of its reward, verified unchanged. @throws InputError */
export const readKept = (dir: string): Promise<KeptFiles> => readKeptFiles(dir, 'reward');

/**
 * A reward file ready to judge. @param coverage whether it reports coverage @throws InputError at the line that does
 * not load
 */
export async function openReward(
  { reward }: Pick<Experiment, 'reward'>,
  file: string,
  dist: URL,
  workers: number,
  coverage = false,
): Promise<RewardHost> {
  const { seconds, megabytes, network } = reward;
  try {
    return await RewardHost.open(file, { dist, python: pythonInUse(), seconds, megabytes, network, workers, coverage });
  } catch (error) {
    throw error instanceof RewardLoadError ? unusable(error, file) : error;
  }
}

/** A reward file that cannot be used, as a problem at its line, or where it is named when no line is at fault. */
export function unusable(error: RewardLoadError, file: string, field = 'reward.file'): InputError {
  if (error.reason === 'missing') return absentFile(file, field);
  const remedies = {
    interpreter: l10n.t(
      'Name an interpreter in the setting genenv.python, or in the environment variable GENENV_PYTHON.',
    ),
    load: l10n.t('Correct the file.'),
    name: l10n.t('Rename it.'),
  };
  const sentence = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  const remedy = remedies[error.reason];
  if (error.reason === 'name') return new InputError([ofName(file, field, sentence, remedy)]);
  const { line, column, file: at } = error.at ?? { line: 1, column: 1, file };
  const told = { file: at, line, column, field, message: sentence, remedy };
  return new InputError([{ ...told, severity: 'error' }]);
}

function problem(file: string, message: string, remedy: string): InputError {
  return new InputError([{ file, line: 1, column: 1, field: 'reward.file', message, remedy, severity: 'error' }]);
}
