/**
 * A person's own curriculum in a run: read before the run is made, held to its cases, kept in `inputs/` with everything that
 * it imports, and opened from there.
 */
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { RewardProgram } from '../../engine/ports.ts';
import { CurriculumHost } from '../../rewards/curricula/curriculumHost.ts';
import { testCurriculumCase, type CurriculumCaseResult } from '../../rewards/curricula/testCases.ts';
import { RewardLoadError } from '../../rewards/processes/rewardLoadError.ts';
import { readCurriculumCases, type CurriculumCaseLine } from '../../shared/curricula/cases.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import { casesFile } from '../../shared/rewards/cases.ts';
import { codeOf } from '../../shared/systemError.ts';
import { pythonInUse } from '../domains/pythonInUse.ts';
import { InputError } from '../inputs/inputError.ts';
import { insistOnCopy } from '../inputs/loadsFromCopy.ts';
import { keepFiles, loadedFiles, readKeptFiles, type LoadedFiles } from '../inputs/keptFiles.ts';
import { unusable } from './reward.ts';
import { strictText } from '../inputs/strictText.ts';

const field = 'curriculum.reward.file';

/** The file that an experiment's rewards come from; null where they come from none. */
export function curriculumIn({ curriculum: { reward } }: Experiment): string | null {
  return reward.kind === 'file' ? reward.file : null;
}

/** Null where the experiment names none. @throws InputError at the line that does not load, or the case that is wrong */
export async function loadCurriculum(
  experiment: Experiment,
  directory: string,
  dist: URL,
): Promise<LoadedFiles | null> {
  const named = curriculumIn(experiment);
  if (named === null) return null;
  const main = resolve(directory, named);
  const host = await openCurriculum(experiment, main, dist);
  try {
    const cases = await curriculumCases(host, main);
    const problems = [];
    for await (const { line, name, wrong } of cases?.results ?? []) {
      if (wrong === null || cases === null) continue;
      const message = l10n.t(
        'The curriculum gives other rewards than the case “{0}” expects: {1}.',
        name,
        wrong.replace(/\.$/, ''),
      );
      const remedy = l10n.t('Correct the curriculum, or the case.');
      problems.push({ file: cases.file, line, column: 1, field, message, remedy, severity: 'error' as const });
    }
    if (problems.length > 0) throw new InputError(problems);
  } finally {
    host.dispose();
  }
  const loaded = await loadedFiles(main, host.files);
  await insistOnCopy(loaded, 'curriculum', main, (copy) => openCurriculum(experiment, copy, dist));
  return loaded;
}

/** Puts the copies into a new run's folder. */
export const keepCurriculum = (dir: string, curriculum: LoadedFiles | null): Promise<void> =>
  keepFiles(dir, 'curriculum', curriculum);

/** The run's own copy, ready to be asked; null where the experiment names none. @throws InputError */
export async function openKeptCurriculum(
  experiment: Experiment,
  dir: string,
  dist: URL,
): Promise<(RewardProgram & { close(): void }) | null> {
  if (curriculumIn(experiment) === null) return null;
  const kept = await readKeptFiles(dir, 'curriculum');
  const host = await openCurriculum(experiment, join(dir, 'inputs', 'curriculum', kept.file), dist);
  return { rewards: (families, epoch) => host.rewards(families, epoch), close: () => host.dispose() };
}

/** A curriculum file ready to be asked, with the limits of the experiment's reward. @throws InputError */
export async function openCurriculum(
  { reward }: Pick<Experiment, 'reward'>,
  file: string,
  dist: URL,
): Promise<CurriculumHost> {
  const { seconds, megabytes, network } = reward;
  try {
    return await CurriculumHost.open(file, { dist, python: pythonInUse(), seconds, megabytes, network });
  } catch (error) {
    throw error instanceof RewardLoadError ? unusable(error, file, field) : error;
  }
}

/** Cases beside a file, yielded when run; null where there is no file of cases. @param wanted all when absent */
export async function curriculumCases(
  host: CurriculumHost,
  file: string,
  wanted: (line: CurriculumCaseLine) => boolean = () => true,
): Promise<{ file: string; results: AsyncGenerator<CurriculumCaseResult> } | null> {
  const path = casesFile(file);
  try {
    const lines = [...readCurriculumCases(await strictText(path))].filter(wanted);
    return { file: path, results: results(host, lines) };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

async function* results(
  host: CurriculumHost,
  lines: readonly CurriculumCaseLine[],
): AsyncGenerator<CurriculumCaseResult> {
  for (const line of lines) yield await testCurriculumCase((...given) => host.ask(...given), line);
}
