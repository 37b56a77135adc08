/** How far a run is and how long it will take: the one estimate that every row, bar and page shows. */
import type { RunState } from '../../../engine/state.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { smallest } from '../../../shared/extremes.ts';
import { pricesOf } from '../../../shared/money/prices.ts';
import { costOf, type Used } from '../../../shared/money/used.ts';

/** Recent epochs that the time left is reckoned from. */
const recent = 5;
/** An epoch that takes so many times as long as they did is held up, as by a server that does not answer. */
const heldUp = { times: 4, seconds: 60 };

/** Share of a run that is done, 0…1, and the remaining seconds; null before an epoch has been timed, and while one is held up. */
export interface Outlook {
  share: number;
  secondsLeft: number | null;
}

/** Of an epoch under way: when it began, or was taken up again, and the time now, in milliseconds. */
export interface EpochTime {
  since: number;
  now: number;
  /** A server answers nothing. */
  silent: boolean;
}

/** @param settings those in force. @param time null for a run that nothing executes, or of unknown progress */
export function outlook(run: RunState, settings: Experiment, time: EpochTime | null): Outlook {
  const { summaries, finished, open, spent, used } = run;
  if (finished !== null) return { share: 1, secondsLeft: 0 };
  const { epochs } = settings;
  const times = summaries.slice(-recent).map(({ seconds }) => seconds);
  const each = pace(times);
  if (each === null) return { share: 0, secondsLeft: null };
  // A clock that was set back makes no time negative.
  const passed = time === null ? 0 : Math.max(0, time.now - time.since) / 1000;
  const elapsed = open === null ? 0 : passed;
  const within = Math.min(1, elapsed / Math.max(each, 1e-3));
  const done = Math.min(epochs, summaries.length + Math.min(within, 0.95));
  const isHeldUp = time?.silent === true || passed > Math.max(heldUp.times * each, heldUp.seconds);
  const secondsLeft = isHeldUp ? null : secondsAhead({ times, done: summaries.length + within, spent, used }, settings);
  return { share: done / epochs, secondsLeft };
}

export interface Course {
  /** Seconds of the epochs that are over, the newest last. */
  times: readonly number[];
  /** Epochs, with the part of the one under way. */
  done: number;
  spent: { rollouts: number; tokens: number; seconds: number };
  /** Tokens by use, for which prices are paid. */
  used: Used;
}

/** At the pace of the last epochs, until the last one or until a budget is spent. Null before an epoch has been timed. */
export function secondsAhead(
  { times, done, spent, used }: Course,
  { epochs, budget, endpoints }: Pick<Experiment, 'epochs' | 'budget' | 'endpoints'>,
): number | null {
  const each = pace(times);
  if (each === null) return null;
  const ends = [(epochs - done) * each];
  const hours = spent.seconds / 3600;
  const prices = pricesOf(endpoints);
  const all = { ...spent, hours, cost: prices === null ? 0 : costOf(used, hours, prices) };
  for (const kind of ['rollouts', 'tokens', 'seconds', 'hours', 'cost'] as const) {
    const amount = budget[kind];
    if (amount !== null && all[kind] > 0) ends.push((spent.seconds * (amount - all[kind])) / all[kind]);
  }
  return Math.max(0, smallest(ends));
}

/** Seconds of one epoch; null where none has been timed. */
function pace(times: readonly number[]): number | null {
  const last = times.slice(-recent);
  return last.length === 0 ? null : last.reduce((sum, seconds) => sum + seconds, 0) / last.length;
}
