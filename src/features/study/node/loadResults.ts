/** The results of a study from its folder alone: no journal is read. */
import * as l10n from '@vscode/l10n';
import type { RunStore } from '../../../runs/store/runStore.ts';
import type { StudyResults } from '../contract/page.ts';
import { studyResults } from '../core/results.ts';
import type { Measured } from '../core/workload.ts';
import { checkMembers, type OpenStudy } from './openStudy.ts';

/** @throws InputError for runs that were edited by hand */
export async function loadResults(study: OpenStudy, store: RunStore): Promise<StudyResults> {
  const { gone } = await checkMembers(study, store);
  const finished = new Map(
    [...study.folder.members].flatMap(([name, { finished: end }]) =>
      end === null ? [] : [[name, end.summary] as const],
    ),
  );
  const results = studyResults(study.study, study.plan, finished, study.folder.dropped);
  if (gone.length === 0) return results;
  const lost = l10n.t(
    'The folders of {0} finished runs are gone (“{1}”{2}); what the study kept of them still counts.',
    gone.length,
    gone[0] ?? '',
    gone.length > 1 ? ', …' : '',
  );
  return { ...results, sentences: [...results.sentences, lost] };
}

/** Measurements of its finished runs. */
export function measuredSoFar({ plan, folder }: OpenStudy): Measured {
  const sum: Measured = { runs: 0, dropped: 0, rollouts: 0, tokens: 0, seconds: 0 };
  for (const { name, arm } of plan.members) {
    const summary = folder.members.get(name)?.finished?.summary;
    if (summary === undefined) {
      if (folder.dropped.has(arm)) sum.dropped += 1;
      continue;
    }
    sum.runs += 1;
    sum.rollouts += summary.rollouts;
    sum.tokens += summary.tokens;
    sum.seconds += summary.seconds;
  }
  return sum;
}
