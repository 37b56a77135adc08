import * as l10n from '@vscode/l10n';
import { careful } from '../../../engine/carefulScorer.ts';
import type { Scorer } from '../../../engine/ports.ts';
import { StateFold, type RunState } from '../../../engine/state.ts';
import { wordingOf } from '../../../engine/wording.ts';
import { changesOf } from '../../../runs/journal/experimentNow.ts';
import { overlaysOf } from '../../../runs/records/editTasks.ts';
import type { TaskHealth } from '../contract.ts';
import { RunHealth } from './runHealth.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { append } from '../../../shared/append.ts';
import { measureChange } from '../../../shared/journal/measures.ts';
import { errorVerdict } from '../../../shared/rewards/result.ts';
import { readEvaluationTasks } from '../../../launch/inputs/evaluation.ts';
import { domainOf } from '../../../launch/domains/openDomain.ts';
import { readTestSets } from '../../../launch/inputs/testSets.ts';

/** A run's own reward is a program, which is not run again for each view of the run's health. */
const notAsked: Scorer = { score: () => errorVerdict(l10n.t('The run’s own reward is not asked again.')) };

/** Health of a run's tasks, judged by the run's own domain and scorer. @throws InputError */
export async function openHealth(run: RunReader): Promise<TaskHealth> {
  const { domain, scorer, given } = await domainOf(run);
  const asked = run.manifest.experiment.reward.file === null ? careful(scorer) : notAsked;
  const changes: RunState['changes'][number][] = [];
  for await (const event of run.events()) if (event.type === 'settings.changed') append(changes, changesOf(event));
  const since = measureChange('attempts', changes)?.epoch ?? 0;
  const overlays = async () => {
    const fold = new StateFold();
    for await (const event of run.events()) fold.add(event);
    return overlaysOf(run, fold.state);
  };
  const { experiment } = run.manifest;
  const testSets = (await readTestSets(experiment, run.dir)) ?? [];
  const benchmark = await readEvaluationTasks(experiment, run.dir);
  const own = (benchmark?.tasks ?? []).map((task) => {
    return { of: benchmark?.benchmark ?? '', id: task.id, text: wordingOf({}, task) };
  });
  const measured = { testSets: [...testSets, ...own], run: experiment.generation.heldOutRun };
  return new RunHealth(run, { domain, scorer: asked, given, measured, overlays, since });
}
