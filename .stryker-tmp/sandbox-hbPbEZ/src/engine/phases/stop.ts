/** When a run ends before its last epoch: budgets and early stopping, looked at between epochs. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import type { RunState } from '../state.ts';

export type Stop = Pick<EventOf<'run.finished'>, 'reason' | 'note'>;

/** Why the run should not start another epoch; null when it should. An epoch that has begun is always finished. */
export function whyStop(experiment: Experiment, state: RunState): Stop | null {
  const { budget } = experiment;
  const { spent } = state;
  if (budget.tokens !== null && spent.tokens >= budget.tokens) {
    return { reason: 'budget-tokens', note: `${spent.tokens} tokens spent of a budget of ${budget.tokens}.` };
  }
  if (budget.rollouts !== null && spent.rollouts >= budget.rollouts) {
    return { reason: 'budget-rollouts', note: `${spent.rollouts} rollouts made of a budget of ${budget.rollouts}.` };
  }
  if (budget.seconds !== null && spent.seconds >= budget.seconds) {
    return {
      reason: 'budget-seconds',
      note: `${spent.seconds.toFixed(0)} s spent of a budget of ${budget.seconds} s.`,
    };
  }
  return stalled(experiment, state);
}

/** No validation among the last `patience` beat the best before them by `minImprovement`. */
function stalled({ earlyStop }: Experiment, { validations }: RunState): Stop | null {
  if (earlyStop === null || validations.length <= earlyStop.patience) return null;
  const scores = validations.map(({ successRate }) => successRate.p ?? 0);
  const best = Math.max(...scores.slice(0, -earlyStop.patience));
  const recent = Math.max(...scores.slice(-earlyStop.patience));
  if (recent >= best + earlyStop.minImprovement && recent > best) return null;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return {
    reason: 'early-stop',
    note: `Validation has not passed ${percent(best)} for ${earlyStop.patience} validations (best since: ${percent(recent)}).`,
  };
}
