/** The criteria of flags: thresholds over the attempts at a task. */
import { coinFlip } from '../../../engine/math/splitHalf.ts';
import type { HealthFlag } from '../contract.ts';
import type { Tally } from './tallies.ts';
import { coinFlipWords, deadWords, disagreesWords, failingCheckerWords, truncatedWords } from './words.ts';

/** Fewest judged attempts for a group to be dead. At p̂ 0.5 one of eight is by chance with 0.8 %, at 0.8 with 17 %. */
const fewestDead = 8;
/** Fewest attempts for a majority to mean anything. */
const fewestVotes = 4;

/** How often the most common wrong answer was given. */
export interface WrongAnswer {
  times: number;
  /** The answer; null where only its count is known. */
  text: string | null;
}

/**
 * All fail or all solved, and rewarded alike in each epoch: GRPO learns nothing from such groups. Requires at least 8
 * judged attempts over two epochs or more, or a whole family in one; of a family that fell out nothing is known but its
 * fastest attempts.
 */
export function deadGroup({ judged, successes, epochs, varied, family, partial }: Tally): HealthFlag | null {
  if (varied) return null;
  const constant = (k: number, n: number): boolean => n >= fewestDead && (k === 0 || k === n);
  if (epochs > 1) {
    return constant(successes, judged) ? { flag: 'dead', why: deadWords(successes > 0, judged, 'epochs') } : null;
  }
  if (partial === 'fell out' || family.attempts <= judged || !constant(family.successes, family.attempts)) return null;
  return { flag: 'dead', why: deadWords(family.successes > 0, family.attempts, 'family', partial === 'cut off') };
}

/** More than half of at least 4 attempts were cut off at their length: they were judged unfinished. */
export function truncatedMajority({ attempts, truncated }: Tally): HealthFlag | null {
  if (attempts < fewestVotes || truncated * 2 <= attempts) return null;
  return { flag: 'truncated', why: truncatedWords(truncated, attempts) };
}

/**
 * The same well-formed wrong answer more than half of the time, 4 times at least: either the gold is wrong, or the agent
 * is always misled. Wrong answers that are spread evenly over 8 or more give it with at most 0.2 % (8 attempts, p̂ 0.3;
 * simulated); an agent with one habit gives it as often as the habit shows.
 */
export function goldDisagrees({ judged }: Tally, { times, text }: WrongAnswer): HealthFlag | null {
  if (times < fewestVotes || times * 2 <= judged) return null;
  return { flag: 'gold-disagrees', why: disagreesWords(times, judged, text) };
}

/** The checker gave up on half of the attempts or more. */
export function failingChecker({ attempts, judged }: Tally, error: string | null): HealthFlag | null {
  const failed = attempts - judged;
  if (failed === 0 || failed * 2 < attempts) return null;
  return { flag: 'unverifiable', why: failingCheckerWords(failed, attempts, error) };
}

/** @param oddsRatio common odds ratio of the run's other tasks */
export function coinFlipSuspicion({ halves }: Tally, oddsRatio: number | null, middle: number): HealthFlag | null {
  const found = coinFlip(halves, oddsRatio);
  return found === null ? null : { flag: 'coin-flip', why: coinFlipWords(found, halves, middle) };
}
