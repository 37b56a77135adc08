/** When a family's place outside the band is certain before all of its attempts are made. */
import type { Curriculum } from '../../shared/experiment/schema.ts';
import { sideOfBand } from '../math/curriculum.ts';
import { estimateOf } from '../math/successRate.ts';

export type Band = Pick<Curriculum, 'alpha' | 'kMin' | 'estimate'>;

/** Judged attempts of a family so far, and those to come. */
export interface Progress {
  successes: number;
  attempts: number;
  left: number;
}

/**
 * Whether p̂ stays outside, on one side, however the others end. It does not matter whether they are judged: p̂ is least
 * when all of them fail and greatest when all succeed.
 */
export function isDecided({ successes, attempts, left }: Progress, band: Band): boolean {
  const all = attempts + left;
  const least = estimateOf(successes, all, band.estimate);
  const greatest = estimateOf(successes + left, all, band.estimate);
  return sideOfBand(least, band) === 'tooEasy' || sideOfBand(greatest, band) === 'tooHard';
}

/** The fewest further attempts after which it can be certain; all that are left where it cannot be before. */
export function fewestToDecide({ successes, attempts, left }: Progress, band: Band): number {
  for (let more = 1; more < left; more++) {
    const then = { attempts: attempts + more, left: left - more };
    if (isDecided({ ...then, successes }, band) || isDecided({ ...then, successes: successes + more }, band))
      return more;
  }
  return left;
}

/** Later stages are at least this share of a family, so that few answers are waited for one after the other. */
const leastStage = 1 / 8;

/** Attempts of a family's next stage: it is looked at again when all of them have ended. */
export function nextStage(progress: Progress, all: number, band: Band): number {
  const least = progress.left === all ? 0 : Math.ceil(all * leastStage);
  return Math.min(progress.left, Math.max(fewestToDecide(progress, band), least));
}

/** Attempts of each task that are made in any case, for families of up to so many tasks. */
export function attemptsInAnyCase(group: number, tasks: number, band: Band): number {
  let least = group;
  for (let count = 1; count <= tasks; count++) {
    const first = fewestToDecide({ successes: 0, attempts: 0, left: count * group }, band);
    least = Math.min(least, Math.floor(first / count));
  }
  return least;
}
