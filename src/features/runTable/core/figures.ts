/** A run's figures so far, from its folded journal: costs, gains, remaining time. */
import type { EpochFold } from '../../../runs/facts/epochFold.ts';
import { secondsAhead } from '../../../runs/facts/timeline/outlook.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { RunFigures } from '../contract.ts';

/** @param experiment the settings in force */
export function figuresOf(fold: EpochFold, experiment: Experiment, finished: boolean): Omit<RunFigures, 'cost'> {
  const { rollouts, tokens, seconds } = fold.totals;
  const { validations, rows } = fold;
  const last = validations.at(-1);
  const change = last?.change ?? null;
  const times = rows.flatMap((row) => row.seconds.whole ?? []);
  return {
    rollouts,
    tokens,
    seconds,
    validation: last?.successRate.p ?? null,
    gain: change && { difference: change.difference, low: change.low, high: change.high },
    left: finished
      ? null
      : secondsAhead(
          { times, done: times.length, spent: { ...fold.totals, tokens: tokens ?? 0 }, used: fold.used },
          experiment,
        ),
  };
}
