/** Everything that an experiment's settings name: read and checked before a run is made, which keeps its own copies. */
import type { Experiment } from '../shared/experiment/schema.ts';
import { keepDomains, loadDomains } from './domains/domainFile.ts';
import { keepEvaluation, loadEvaluation } from './inputs/evaluation.ts';
import { keepInputs, loadInputs } from './inputs/inputs.ts';
import type { LeftOutTasks } from '../shared/leftOutTasks.ts';
import { keepTestSets, loadTestSets } from './inputs/testSets.ts';
import { keepWeights, loadWeights } from './policies/weightFiles.ts';
import { keepCurriculum, loadCurriculum } from './scoring/curriculum.ts';
import { keepReward, loadReward } from './scoring/reward.ts';

export type NamedFiles = Awaited<ReturnType<typeof loadNamedFiles>>;

/** @param directory relative names start here. @throws InputError for the first file that cannot be used */
export async function loadNamedFiles(experiment: Experiment, directory: string, dist: URL) {
  const domains = await loadDomains(experiment, directory, dist);
  const leftOut: LeftOutTasks[] = [];
  const tell = (found: LeftOutTasks) => leftOut.push(found);
  return {
    leftOut,
    domains,
    inputs: await loadInputs(experiment, directory, domains, tell),
    weights: await loadWeights(experiment, directory),
    reward: await loadReward(experiment, directory, dist),
    curriculum: await loadCurriculum(experiment, directory, dist),
    evaluation: await loadEvaluation(experiment, directory, dist),
    testSets: await loadTestSets(experiment, directory, dist, tell),
  };
}

/** Puts the copies into a new run's folder. */
export async function keepNamedFiles(dir: string, experiment: Experiment, files: NamedFiles): Promise<void> {
  await keepDomains(dir, experiment, files.domains);
  await keepInputs(dir, files.inputs);
  await keepWeights(dir, files.weights);
  await keepReward(dir, files.reward);
  await keepCurriculum(dir, files.curriculum);
  await keepEvaluation(dir, files.evaluation);
  await keepTestSets(dir, files.testSets);
}
