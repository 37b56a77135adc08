/** A study's work, before it starts. */
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { withCounts, type TaskCounts } from '../../../shared/experiment/tasks/taskCounts.ts';
import { expectedWork, type Workload } from '../../../shared/experiment/workload.ts';
import type { Budget } from '../contract/file.ts';
import type { Arm } from './arm.ts';
import { epochsSpending } from './budget.ts';
import type { Plan } from './plan.ts';

export interface StudyWorkload {
  runs: number;
  arms: number;
  seeds: number;
  /** Attempts that train, of all runs; null where the budget is in tokens or seconds and nothing was measured. */
  rollouts: number | null;
  /** Upper bound, or at the measured rate; null where unknown, as where those of some attempts were not counted. */
  tokens: number | null;
  /** `limits`: every text as long as it may be; `measured`: as the runs that are finished. */
  basis: 'budget' | 'limits' | 'measured';
  /** Remaining time, one run after another, at the rate of the finished runs; null before there is one. */
  hoursLeft: number | null;
  /** In the unit of the price that was given; null without one. */
  cost: number | null;
}

/** Measurements of a study's finished runs. */
export interface Measured {
  runs: number;
  /** Runs that will not be: of arms that racing ended. */
  dropped: number;
  rollouts: number;
  /** Null where those of some attempts are not known. */
  tokens: number | null;
  seconds: number;
}

/** The tasks in an experiment's files, as far as they are counted. */
export type CountsOf = (experiment: Experiment) => TaskCounts;

/** Of a run of an arm, up to the epoch that spends its budget. */
export function armWork({ experiment }: Pick<Arm, 'experiment'>, budget: Budget, countsOf: CountsOf): Workload {
  const counts = countsOf(experiment);
  const counted = withCounts(experiment, counts);
  const epochs = Math.min(experiment.epochs, epochsSpending(budget, counted));
  return expectedWork({ ...counted, epochs }, null, counts.heldOut);
}

/** `price`: of a million tokens. */
export function studyWorkload(
  { arms, members, budget }: Plan,
  countsOf: CountsOf,
  done: Measured,
  price: number | null,
): StudyWorkload {
  const seeds = members.length / Math.max(1, arms.length);
  const runs = members.length - done.dropped;
  const byArm = arms.map((arm) => {
    const work = armWork(arm, budget, countsOf);
    return { rollouts: work.rollouts.run, tokens: work.tokens.run };
  });
  const sum = (pick: (work: { rollouts: number; tokens: number }) => number): number =>
    (runs / members.length) * seeds * byArm.reduce((all, work) => all + pick(work), 0);
  const known = budget.kind === 'rollouts' || budget.kind === 'updates';
  const measured = done.runs > 0;
  const all = (part: number): number => (part / done.runs) * runs;
  const rollouts = known ? sum((work) => work.rollouts) : measured ? all(done.rollouts) : null;
  const tokens = measured
    ? done.tokens === null
      ? null
      : all(done.tokens)
    : budget.kind === 'tokens'
      ? budget.amount * runs
      : known
        ? sum((work) => work.tokens)
        : null;
  const basis = measured ? 'measured' : budget.kind === 'tokens' ? 'budget' : 'limits';
  const seconds = measured ? done.seconds / done.runs : budget.kind === 'seconds' ? budget.amount : null;
  return {
    runs,
    arms: arms.length,
    seeds,
    rollouts: rollouts === null ? null : Math.round(rollouts),
    tokens: tokens === null ? null : Math.round(tokens),
    basis,
    hoursLeft: seconds === null ? null : (seconds * (runs - done.runs)) / 3600,
    cost: price === null || tokens === null ? null : (tokens / 1e6) * price,
  };
}
