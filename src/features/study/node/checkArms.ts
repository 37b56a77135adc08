/** Files that arms name are read before the first run: an arm whose turn comes at night must not end there, or measure nothing. */
import { dirname } from 'node:path';
import { atNames, InputError } from '../../../launch/inputs/inputError.ts';
import { heldOutTasks } from '../../../launch/inputs/heldOutTasks.ts';
import { leftOutLine } from '../../../shared/leftOutTasks.ts';
import { loadNamedFiles } from '../../../launch/namedFiles.ts';
import type { Log } from '../../../engine/ports.ts';
import { append } from '../../../shared/append.ts';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { withoutValue } from '../core/canShow.ts';
import { inArm } from '../core/plan.ts';
import { endedArms } from './endedArms.ts';
import type { OpenStudy } from './openStudy.ts';

/**
 * Of all runs that are to begin, each set of files once. Failures of something else than a file, as of a server that is
 * away, may have passed when its run begins. Tells the log, once, of tasks that are left out.
 *
 * @throws InputError with everything that is wrong, a file as a whole at the place that names it
 */
export async function checkArms(opened: OpenStudy, dist: URL, log: Pick<Log, 'warn'>): Promise<void> {
  const { study, places, plan, base, folder } = opened;
  const ended = endedArms(opened);
  const seen = new Set<string>();
  const problems: Problem[] = [];
  const left = new Set<string>();
  for (const { name, arm, experiment, placeOf } of plan.members) {
    if (folder.members.has(name) || ended.has(arm)) continue;
    const files = namingFields(experiment);
    if (seen.has(files)) continue;
    seen.add(files);
    try {
      const { inputs, leftOut } = await loadNamedFiles(experiment, dirname(base), dist);
      for (const found of leftOut) left.add(leftOutLine(found));
      const heldOut = heldOutTasks(experiment, inputs);
      for (const problem of withoutValue(study, { name: arm, experiment }, places, heldOut))
        problems.push({ ...problem, severity: 'error' });
    } catch (error) {
      if (!(error instanceof InputError)) continue;
      const found = atNames(error.problems, placeOf).map((problem) => inArm(problem, arm));
      append(problems, found);
    }
  }
  for (const line of left) log.warn(line);
  if (problems.length > 0) throw new InputError(problems);
}

/** All that decides which files are read, and how they are checked. */
function namingFields(experiment: Experiment): string {
  const { mode, domain, domains, reward, curriculum, generation, evaluation, validation, endpoints } = experiment;
  const measuring = [generation, evaluation, validation];
  return JSON.stringify([mode, domain, domains, reward, curriculum.reward, measuring, endpoints]);
}
