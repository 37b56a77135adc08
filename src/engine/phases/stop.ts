/** When a run ends before its last epoch: nothing to train on, budgets, early stopping; looked at between epochs. */
import type { Experiment } from '../../shared/experiment/schema.ts';
import { largest, smallest } from '../../shared/extremes.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import { pricesOf } from '../../shared/money/prices.ts';
import { costOf } from '../../shared/money/used.ts';
import { validationsMeasured, type RunState } from '../state.ts';

/** Shares of tasks are quotients: a gain of exactly the least one may come out a rounding error below it. */
const rounding = 1e-9;

/** So many epochs in a row may bring no usable task where the environment has written some before. */
const patience = 3;

export type Stop = Pick<EventOf<'run.finished'>, 'reason' | 'note'>;

/** Why the run should not start another epoch; null when it should. An epoch that has begun is always finished. */
export function whyStop(experiment: Experiment, state: RunState): Stop | null {
  const nothing = withoutTasks(state);
  if (nothing !== null) return nothing;
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
  return usedUp(experiment, state) ?? stalled(experiment, state);
}

/** Money and hours. A budget that ended an epoch early ends the run, unless it was raised since. */
function usedUp({ budget, endpoints }: Experiment, { spent, used, cut }: RunState): Stop | null {
  const prices = pricesOf(endpoints);
  const hours = spent.seconds / 3600;
  const so = { cost: prices === null ? 0 : costOf(used, hours, prices), hours };
  for (const by of ['cost', 'hours'] as const) {
    const most = budget[by];
    if (most === null || (so[by] < most && (cut?.by !== by || most > cut.budget))) continue;
    const early = cut?.by === by ? `; ${cut.left} more were not begun in the last epoch` : '';
    const what = by === 'cost' ? so.cost.toFixed(2) : `${hours.toFixed(2)} h`;
    return {
      reason: `budget-${by}`,
      note: `${what} spent of a budget of ${most}${by === 'hours' ? ' h' : ''}${early}.`,
    };
  }
  return null;
}

/**
 * The environment writes no usable task: in its first epoch, or for `patience` epochs in a row later, since an update
 * or another draw of seeds may bring it back. The agent would continue with base tasks alone.
 */
function withoutTasks({ usable, unusable }: RunState): Stop | null {
  if (unusable.length < (usable ? patience : 1)) return null;
  const epochs = unusable.map(({ epoch }) => epoch);
  const [first, last] = [smallest(epochs), largest(epochs)];
  const written = unusable.reduce((sum, epoch) => sum + epoch.written, 0);
  const causes = new Map<string, number>();
  for (const { rejected } of unusable) {
    for (const [cause, count] of Object.entries(rejected)) causes.set(cause, (causes.get(cause) ?? 0) + count);
  }
  const told = [...causes].map(([cause, count]) => `${cause} ${count}`).join(', ');
  const when = first === last ? `epoch ${last}` : `epochs ${first}–${last}`;
  return {
    reason: 'no-tasks',
    note:
      `Not one of ${written} texts of the environment in ${when} became a task (${told}), so the run ended. ` +
      'See why in its rejected texts; the environment’s model may not fit the domain.',
  };
}

/** No validation among the last `patience` beat the best before them by `minImprovement`; all were measured as the next is. */
function stalled({ earlyStop }: Experiment, state: RunState): Stop | null {
  const measured = validationsMeasured(state);
  const validations = state.validations.filter((one) => one.measured === measured);
  if (earlyStop === null || validations.length === 0) return null;
  const scores = validations.map(({ successRate }) => successRate.p ?? 0);
  const best = largest(scores.slice(0, -earlyStop.patience));
  const recent = largest(scores.slice(-earlyStop.patience));
  if (recent >= best + earlyStop.minImprovement - rounding && recent > best) return null;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return {
    reason: 'early-stop',
    note: `Validation has not passed ${percent(best)} for ${earlyStop.patience} validations (best since: ${percent(recent)}).`,
  };
}
