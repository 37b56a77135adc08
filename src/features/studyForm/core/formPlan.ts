/** Arms, work, time and faults of a study's text, for its form. */
import * as l10n from '@vscode/l10n';
import type { Problem } from '../../../shared/experiment/problems/problem.ts';
import { parseExperiment } from '../../../shared/experiment/parse.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { forecastOf, type RunPace } from '../../../shared/money/forecast.ts';
import type { StudyPlan } from '../contract.ts';
import type { Arm } from '../../study/core/arm.ts';
import type { Budget } from '../../study/contract/file.ts';
import { sum } from '../../../shared/sum.ts';
import { planStudy, type BaseText, type Plan } from '../../study/core/plan.ts';
import { readStudy } from '../../study/core/readStudy.ts';
import { armWork, studyWorkload, type CountsOf } from '../../study/core/workload.ts';

export interface StudyTexts {
  text: string;
  file: string;
  /** The experiment that the study names, or the faults of a text that cannot be read; null where there is no such file. */
  base: BaseText | { problems: readonly Problem[] } | null;
}

type Told = Omit<StudyPlan, 'experiments'>;

/** @param paceOf null where no run tells */
export function formPlan(
  { text, file, base }: StudyTexts,
  paceOf: (experiment: Experiment) => RunPace | null,
  countsOf: CountsOf,
): Told {
  const parsed = base === null ? null : 'problems' in base ? base : parseExperiment(base.text, base.file);
  const experiment = parsed !== null && 'experiment' in parsed ? parsed.experiment : null;
  const nothing = { base: experiment, arms: [], work: null, forecast: null };
  const reading = readStudy(text, file);
  if ('problems' in reading) return { ...nothing, problems: reading.problems.map(told) };
  const { study, places } = reading;
  if (base === null) {
    const message = l10n.t('There is no experiment "{0}".', study.base);
    const problem = { ...places.placeOf(['base']), field: 'base', message, remedy: l10n.t('Choose another one.') };
    return { ...nothing, problems: [{ ...problem, severity: 'error' }] };
  }
  if ('problems' in base) return { ...nothing, problems: base.problems.map(told) };
  const planned = planStudy(study, base, places);
  if ('problems' in planned) return { ...nothing, problems: planned.problems.map(told) };
  const { plan } = planned;
  const work = studyWorkload(plan, countsOf, { runs: 0, dropped: 0, rollouts: 0, tokens: 0, seconds: 0 }, null);
  const { arms, seeds, runs, rollouts, tokens } = work;
  const pace = experiment === null ? null : paceOf(experiment);
  return {
    base: experiment,
    arms: plan.arms.map(({ name }) => name),
    work: { arms, seeds, runs, rollouts, tokens },
    forecast: experiment === null || pace === null ? null : forecastOfAll(plan, experiment, pace, countsOf),
    problems: plan.warnings.map(told),
  };
}

/** Attempts of a run, measuring included. */
function attemptsOf(arm: Arm, budget: Budget, countsOf: CountsOf): number {
  const { rollouts, validation, evaluation } = armWork(arm, budget, countsOf);
  return rollouts.run + validation.run + evaluation.run;
}

function forecastOfAll(plan: Plan, base: Experiment, pace: RunPace, countsOf: CountsOf): Told['forecast'] {
  const { members, budget } = plan;
  const all = budget.amount * members.length;
  const spent =
    budget.kind === 'tokens'
      ? all / pace.tokensPerAttempt
      : budget.kind === 'seconds'
        ? all / (pace.tokensPerAttempt * pace.secondsPerToken)
        : sum(plan.arms.map((arm) => attemptsOf(arm, budget, countsOf))) *
          (members.length / Math.max(1, plan.arms.length));
  return forecastOf(base, pace, spent);
}

const told = ({ file, line, column, field, message, remedy, severity }: Problem): StudyPlan['problems'][number] => ({
  ...{ file, line, column, field, message, remedy, severity },
});
