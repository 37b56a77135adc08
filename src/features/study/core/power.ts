/** The power of a number of seeds, before and after they ran. */
import { Rng } from '../../../engine/random.ts';
import { bootstrapLeast, signFlipTest, wilcoxonTest } from '../../../engine/math/paired/tests.ts';
import { pairedPower } from '../../../engine/math/paired/student.ts';
import type { Study } from '../contract/file.ts';

type Test = Study['comparison']['test'];

/** Above so many pairs both exact tests draw their patterns, of which p counts one more. */
const countedPairs = 20;
const drawnLeast = 1 / 20_001;

/** Below which p cannot fall with so many pairs. */
export function leastP(test: Test, pairs: number): number {
  if (test === 'bootstrap') return bootstrapLeast(pairs);
  return pairs > countedPairs ? drawnLeast : 2 / 2 ** pairs;
}

/** Comparisons that Holm's correction is over, once every pair of arms has two seeds. */
export const plannedComparisons = (
  { measures, comparison }: Pick<Study, 'measures' | 'comparison'>,
  arms: number,
): number => measures.length * (comparison.pairs === 'all' ? (arms * (arms - 1)) / 2 : Math.max(0, arms - 1));

/** The fewest seeds with which p can fall to this level; null where no number can. */
export function fewestSeeds(test: Test, level: number): number | null {
  for (let n = 2; n <= countedPairs + 1; n++) if (leastP(test, n) <= level) return n;
  return null;
}

/** The power that readers should be able to rely on. */
const wantedPower = 0.8;
export const mostSeeds = 1000;

/** With more pairs an exact test has so many patterns that its power is near a t test's. */
const simulatedPairs = 12;
const samples = 400;

/**
 * Chance that the test finds a true mean difference of d standard deviations at this level. Sign-flip and Wilcoxon's test
 * of up to 12 pairs are tried on 400 samples of normal differences, the same at every call; of more pairs, and of the
 * bootstrap, it is the paired t test's.
 */
export function powerOf(test: Test, d: number, pairs: number, level: number): number {
  if (leastP(test, pairs) > level) return 0;
  if (test === 'bootstrap' || pairs > simulatedPairs) return pairedPower(d, pairs, level);
  const p = test === 'sign-flip' ? signFlipTest : wilcoxonTest;
  const found = normalSamples(pairs).filter((sample) => p(sample.map((z) => d + z)).p <= level);
  return found.length / samples;
}

const drawn = new Map<number, number[][]>();

/** Standard normal differences, by the Box–Muller transform. */
function normalSamples(pairs: number): number[][] {
  const known = drawn.get(pairs);
  if (known !== undefined) return known;
  const rng = Rng.from('power', pairs);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());
  const all = Array.from({ length: samples }, () => Array.from({ length: pairs }, normal));
  drawn.set(pairs, all);
  return all;
}

/** Seeds with which the test would find a difference of d deviations four times in five; null where a thousand do not do. */
export function seedsFor(test: Test, d: number, level: number): number | null {
  const [byStudent, floor] = [seedsForStudent(d, level), fewestSeeds(test, level)];
  if (byStudent === null || floor === null) return null;
  if (test === 'bootstrap') return Math.max(byStudent, floor);
  const least = Math.max(byStudent, floor);
  for (let n = least; n <= simulatedPairs; n++) if (powerOf(test, d, n, level) >= wantedPower) return n;
  return Math.max(least, simulatedPairs + 1);
}

function seedsForStudent(d: number, level: number): number | null {
  if (d === 0) return null;
  let [low, high] = [2, mostSeeds];
  if (pairedPower(d, high, level) < wantedPower) return null;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pairedPower(d, middle, level) >= wantedPower) high = middle;
    else low = middle + 1;
  }
  return low;
}
