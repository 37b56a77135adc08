/**
 * A person's own reward in a run: read before the run is made, kept in its `inputs/` with everything that it imports by a
 * relative path, and opened from there, so that the run explains itself and a resumed one judges as before.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import * as z from 'zod';
import type { Judge } from '../engine/ports.ts';
import { RewardHost } from '../rewards/processes/rewardHost.ts';
import { RewardLoadError } from '../rewards/processes/rewardLoadError.ts';
import type { Experiment } from '../shared/experiment/schema.ts';
import { rewardCall } from '../shared/rewards/given.ts';
import { rewardLanguage } from '../shared/rewards/rewardFile.ts';
import { recordedVerdict } from '../shared/rewards/outcome.ts';
import { InputError } from './inputError.ts';
import { pythonInUse } from './pythonInUse.ts';
import { insistOnCases } from './rewardCases.ts';

/** `inputs/reward.json`. */
const keptSchema = z.strictObject({
  v: z.literal(1),
  /** The reward file, within `inputs/reward`. */
  file: z.string(),
  /** SHA-256 of it and of everything that it imports, by path within `inputs/reward`. */
  files: z.record(z.string(), z.string()),
});
type Kept = z.infer<typeof keptSchema>;

/** A reward that loads, and the texts of its files by their path within `inputs/reward`. */
export interface LoadedReward {
  kept: Kept;
  texts: ReadonlyMap<string, string>;
}

/** Null where the experiment names none. @throws InputError at the line that does not load, or the case that is judged wrong */
export async function loadReward(experiment: Experiment, directory: string, dist: URL): Promise<LoadedReward | null> {
  if (experiment.reward.file === null) return null;
  const main = resolve(directory, experiment.reward.file);
  const byJobs = experiment.endpoints.agent.kind === 'verl' && experiment.agent.train;
  if (byJobs && ['typescript', 'javascript'].includes(rewardLanguage(main) ?? '')) {
    const message = 'A job of verl judges its attempts on the cluster, where a reward must be in Python.';
    throw problem(main, message, 'Write it as *.reward.py, or train the agent at another kind of endpoint.');
  }
  const host = await openReward(experiment, main, dist, 1);
  try {
    await insistOnCases(host, main);
  } finally {
    host.dispose();
  }
  const { file, texts } = await rewardTexts(main, host.files);
  const files = Object.fromEntries([...texts].map(([path, text]) => [path, sha256(text)]));
  return { kept: { v: 1, file, files }, texts };
}

/** A reward file and everything of a person's own that it loaded, by path from the folder that holds them all. */
export async function rewardTexts(
  reward: string,
  loaded: readonly string[],
): Promise<{ file: string; texts: Map<string, string> }> {
  const main = resolve(reward);
  const root = loaded.map((file) => dirname(file)).reduce(common, dirname(main));
  const texts = new Map<string, string>();
  for (const file of loaded) texts.set(within(root, file), await readFile(file, 'utf8'));
  return { file: within(root, main), texts };
}

/** Puts the copies into a new run's folder. */
export async function keepReward(dir: string, reward: LoadedReward | null): Promise<void> {
  if (reward === null) return;
  for (const [path, text] of reward.texts) {
    const file = join(dir, 'inputs', 'reward', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await writeFile(join(dir, 'inputs', 'reward.json'), `${JSON.stringify(reward.kept, null, 2)}\n`);
}

export interface OpenJudge extends Judge {
  close(): void;
}

/** The run's own copy, ready to judge; null where the domain's scorer judges. @throws InputError */
export async function openJudge(experiment: Experiment, dir: string, dist: URL): Promise<OpenJudge | null> {
  if (experiment.reward.file === null) return null;
  const kept = await readKept(dir);
  const file = join(dir, 'inputs', 'reward', kept.file);
  const host = await openReward(experiment, file, dist, Math.max(1, Math.min(4, availableParallelism() - 1)));
  return {
    judge: async (task, trace) => recordedVerdict(await host.judge(rewardCall(task, trace))),
    close: () => host.dispose(),
  };
}

/** Path of a run's copy of its reward within `inputs`. @throws InputError */
export const rewardCopy = async (dir: string): Promise<string> => `reward/${(await readKept(dir)).file}`;

/** What a run keeps of its reward, unchanged since. @throws InputError */
export async function readKept(dir: string): Promise<Kept> {
  const path = join(dir, 'inputs', 'reward.json');
  try {
    const kept = keptSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    for (const [name, digest] of Object.entries(kept.files)) {
      const file = join(dir, 'inputs', 'reward', name);
      if (sha256(await readFile(file, 'utf8')) !== digest)
        throw problem(file, 'The run’s copy of its reward was changed.', 'Restore it, or start a new run.');
    }
    return kept;
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw problem(path, `The run’s copy of its reward cannot be read: ${why}.`, 'Restore it from a copy of the run.');
  }
}

/** A reward file ready to judge. @param coverage whether it tells what it went through @throws InputError at the line that does not load */
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

/** A reward file that cannot be used, as a problem at its line. */
export function unusable(error: RewardLoadError, file: string): InputError {
  const remedies = {
    interpreter: 'Name an interpreter in the setting genenv.python, or in the environment variable GENENV_PYTHON.',
    load: 'Correct the file.',
    name: 'Rename it.',
  };
  const { line, column, file: at } = error.at ?? { line: 1, column: 1, file };
  const sentence = /[.!?]$/.test(error.message) ? error.message : `${error.message}.`;
  return problem(at, sentence, remedies[error.reason], { line, column });
}

/** The folder that holds both. */
function common(one: string, other: string): string {
  let folder = one;
  while (other !== folder && !other.startsWith(folder.endsWith(sep) ? folder : folder + sep)) folder = dirname(folder);
  return folder;
}

const within = (root: string, file: string): string => (relative(root, file) || basename(file)).replaceAll('\\', '/');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function problem(file: string, message: string, remedy: string, at = { line: 1, column: 1 }): InputError {
  return new InputError([{ file, ...at, field: 'reward', message, remedy, severity: 'error' }]);
}
