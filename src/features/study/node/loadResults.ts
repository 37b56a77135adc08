/** The results of a study from its folder alone: no journal is read. */
import * as l10n from '@vscode/l10n';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { StudyResults } from '../contract/page.ts';
import { knownSum } from '../../../shared/money/knownSum.ts';
import { studyResults } from '../core/results.ts';
import type { Measured } from '../core/workload.ts';
import { endedArms } from './endedArms.ts';
import { checkMembers, type OpenStudy } from './openStudy.ts';

/** @throws InputError for runs that were edited by hand */
export async function loadResults(study: OpenStudy, store: RunStore): Promise<StudyResults> {
  const { gone } = await checkMembers(study, store);
  const finished = new Map(
    [...study.folder.members].flatMap(([name, { finished: end }]) =>
      end === null ? [] : [[name, end.summary] as const],
    ),
  );
  const results = studyResults(study.study, study.plan, finished, endedArms(study));
  return { ...results, sentences: [...results.sentences, ...takenBack(study), ...lost(gone)] };
}

/** Arms that racing ended before a person switched it off. */
function takenBack({ study, plan, folder }: OpenStudy): string[] {
  if (study.stop !== null) return [];
  const arms = plan.arms.flatMap(({ name }) => (folder.dropped.has(name) ? [name] : []));
  if (arms.length === 0) return [];
  return [l10n.t('Racing ended {0} earlier. It is off now, so that all runs go to their end.', arms.join(', '))];
}

function lost(gone: readonly string[]): string[] {
  const [first] = gone;
  if (first === undefined) return [];
  return [
    l10n.t(
      'The folders of {0} finished runs are gone (“{1}”{2}); what the study kept of them still counts.',
      gone.length,
      first,
      gone.length > 1 ? ', …' : '',
    ),
  ];
}

/** Measurements of its finished runs. */
export function measuredSoFar(study: OpenStudy): Measured {
  const { plan, folder } = study;
  const ended = endedArms(study);
  const sum: Measured = { runs: 0, dropped: 0, rollouts: 0, tokens: 0, seconds: 0 };
  for (const { name, arm } of plan.members) {
    const summary = folder.members.get(name)?.finished?.summary;
    if (summary === undefined) {
      if (ended.has(arm)) sum.dropped += 1;
      continue;
    }
    sum.runs += 1;
    sum.rollouts += summary.rollouts;
    sum.tokens = knownSum(sum.tokens, summary.tokens);
    sum.seconds += summary.seconds;
  }
  return sum;
}
