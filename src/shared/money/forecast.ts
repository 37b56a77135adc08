/** A run's time, tokens and cost before it starts, at the pace of an earlier run on the same endpoints. */
import type { Experiment } from '../experiment/schema.ts';
import { untilEnd } from './untilEnd.ts';
import { spentBefore, type Ends, type Workload } from '../experiment/workload.ts';
import { mostPerToken, pricesOf } from './prices.ts';

/** Of the last epoch that a run has finished, updates included. */
export interface RunPace {
  /** The run that measured it. */
  run: string;
  secondsPerToken: number;
  /** Of an attempt that trains or measures, the environment's texts included. */
  tokensPerAttempt: number;
  /** Tokens billed for each that is counted, turns sending all before them again; 1 where nothing told. */
  billedPerToken: number;
}

export interface Forecast {
  /** The run whose pace it is. */
  run: string;
  /** `epoch` null: of several runs, whose epochs differ. */
  seconds: { epoch: number | null; run: number };
  tokens: number;
  /** Of the servers' hours, and of sampling at most: every token at the price of answers. Null where nothing has a price. */
  cost: { hours: number; sampling: number } | null;
}

/** Of work at that pace, as `workAtPace` gives it. */
export function forecast(experiment: Experiment, work: Workload, pace: RunPace): Forecast {
  const { rollouts, validation, evaluation } = work;
  return forecastOf(experiment, pace, rollouts.run + validation.run + evaluation.run, attemptsInEpoch(work));
}

/** With the tokens that attempts of that run took, up to the budget that ends it so. */
export function workAtPace(experiment: Experiment, work: Workload, pace: RunPace): Workload {
  const inEpoch = attemptsInEpoch(work);
  const { tokens, seconds } = forecastOf(experiment, pace, inEpoch);
  const { billedPerToken } = pace;
  return untilEnd({
    ...work,
    tokens: { epoch: tokens, run: forecastOf(experiment, pace, inEpoch * work.epochs).tokens },
    billedPerToken,
    basis: 'run',
    ends: endsAt(
      experiment,
      { ...work, billedPerToken },
      { tokens, rollouts: work.rollouts.epoch, seconds: seconds.run },
    ),
  });
}

/** The budget that ends a run whose epochs use so much; training by a price of its own is left out. */
export function endsAt(
  experiment: Experiment,
  work: Pick<Workload, 'epochs' | 'spent' | 'billedPerToken'>,
  inEpoch: Record<'tokens' | 'rollouts' | 'seconds', number>,
): Ends | null {
  const hours = inEpoch.seconds / 3600;
  const prices = pricesOf(experiment.endpoints);
  const cost = prices === null ? 0 : hours * prices.hour + inEpoch.tokens * work.billedPerToken * mostPerToken(prices);
  return spentBefore(experiment, work, { ...inEpoch, hours, cost });
}

/** Attempts of the mean epoch, measuring included. */
const attemptsInEpoch = ({ rollouts, validation, evaluation }: Workload): number =>
  rollouts.epoch * (1 + (validation.run + evaluation.run) / Math.max(1, rollouts.run));

/** Of so many attempts. */
export function forecastOf(
  { endpoints }: Pick<Experiment, 'endpoints'>,
  { run, secondsPerToken, tokensPerAttempt, billedPerToken }: RunPace,
  attempts: number,
  inEpoch: number | null = null,
): Forecast {
  const each = tokensPerAttempt * secondsPerToken;
  const [tokens, seconds] = [attempts * tokensPerAttempt, attempts * each];
  const prices = pricesOf(endpoints);
  return {
    run,
    seconds: { epoch: inEpoch === null ? null : inEpoch * each, run: seconds },
    tokens: Math.round(tokens),
    cost:
      prices === null
        ? null
        : { hours: (seconds / 3600) * prices.hour, sampling: tokens * billedPerToken * mostPerToken(prices) },
  };
}
