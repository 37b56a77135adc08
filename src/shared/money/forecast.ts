/** A run's time, tokens and cost before it starts, at the pace of an earlier run on the same endpoints. */
import type { Experiment } from '../experiment/schema.ts';
import { expectedWork, spentBefore, type Ends } from '../experiment/workload.ts';
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

/** Up to the budget that ends it at that pace. */
export function forecast(experiment: Experiment, pace: RunPace): Forecast & { ends: Ends | null } {
  const { rollouts, epochs } = expectedWork(experiment);
  const inEpoch = rollouts.epoch * attemptsPerRollout(experiment);
  const { tokens, seconds } = forecastOf(experiment, pace, inEpoch);
  const ends = endsAt(experiment, { tokens, rollouts: rollouts.epoch, seconds: seconds.run }, pace.billedPerToken);
  return { ...forecastOf(experiment, pace, inEpoch * (ends?.epochs ?? epochs), inEpoch), ends };
}

/** The budget that ends a run whose epochs use so much; training by a price of its own is left out. */
export function endsAt(
  experiment: Experiment,
  inEpoch: Pick<Record<keyof Experiment['budget'], number>, 'tokens' | 'rollouts' | 'seconds'>,
  billedPerToken: number,
): Ends | null {
  const hours = inEpoch.seconds / 3600;
  const prices = pricesOf(experiment.endpoints);
  const cost = prices === null ? 0 : hours * prices.hour + inEpoch.tokens * billedPerToken * mostPerToken(prices);
  return spentBefore(experiment, { ...inEpoch, hours, cost });
}

/** Attempts, measuring included, for each that trains. */
function attemptsPerRollout(experiment: Experiment): number {
  const { rollouts, validation, evaluation } = expectedWork(experiment);
  return 1 + (validation.run + evaluation.run) / Math.max(1, rollouts.run);
}

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
