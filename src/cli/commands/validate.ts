import { loadDomains } from '../../launch/domains/domainFile.ts';
import { loadEvaluation } from '../../launch/inputs/evaluation.ts';
import { loadInputs } from '../../launch/inputs/inputs.ts';
import type { OnLeftOut } from '../../shared/leftOutTasks.ts';
import { loadCurriculum } from '../../launch/scoring/curriculum.ts';
import { loadReward } from '../../launch/scoring/reward.ts';
import { loadTestSets } from '../../launch/inputs/testSets.ts';
import { loadWeights } from '../../launch/policies/weightFiles.ts';
import { append } from '../../shared/append.ts';
import type { Problem } from '../../shared/experiment/problems/problem.ts';
import { writeJson, type Surroundings } from '../context.ts';
import { exitCode, type ExitCode } from '../exitCode.ts';
import { fewProblemLines } from '../failure.ts';
import { readExperiment } from '../readExperiment.ts';
import { writeLines } from '../terminal.ts';

/** `genenv validate FILE`: checks the file, its contradictions, the files it names, and its reward. */
export async function validate({ terminal, arguments: given, dist }: Surroundings): Promise<ExitCode> {
  const { target } = given;
  const { experiment, warnings, directory, named } = await readExperiment(terminal.cwd, target, given.all('set'));
  const problems: Problem[] = [...warnings];
  const onLeftOut: OnLeftOut = ({ leftOut }) => append(problems, leftOut);
  await named(async () => {
    await loadInputs(experiment, directory, await loadDomains(experiment, directory, dist), onLeftOut);
    await loadWeights(experiment, directory);
    await loadReward(experiment, directory, dist);
    await loadCurriculum(experiment, directory, dist);
    await loadEvaluation(experiment, directory, dist);
    await loadTestSets(experiment, directory, dist, onLeftOut);
  });
  if (given.has('json')) writeJson(terminal, { file: target, valid: true, problems, experiment });
  else {
    writeLines(terminal.out, fewProblemLines(problems));
    const { name, mode, epochs, preset } = experiment;
    terminal.out.write(`${target} is valid: "${name}", mode ${mode}, ${epochs} epochs, preset "${preset}".\n`);
  }
  return exitCode.done;
}
