/**
 * Success rates of attempts that come in clusters: attempts at one task agree, tasks of one family resemble each other.
 * Such attempts are worth fewer independent ones, and p̂'s interval is Wilson's on these (docs/method.md, "Intervals").
 */
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import { expandedQuantile } from '../studentT.ts';
import { successRate, z } from '../successRate.ts';

/** Judged attempts that belong together. */
export interface Cluster {
  successes: number;
  attempts: number;
}

/**
 * Intraclass correlation of attempts where nothing was measured: at one task, as seen on the embedded models (0.60 to
 * 0.77); and in one family of several tasks.
 */
export const assumedCorrelation = { task: 0.7, family: 0.35 };

/** Weight of the assumed correlation, in clusters at p = ½: a few measured clusters outweigh it. */
const assumedWeight = 1;

const judged = (clusters: readonly Cluster[]): Cluster[] => clusters.filter(({ attempts }) => attempts > 0);

const total = (clusters: readonly Cluster[]): Cluster => {
  let [successes, attempts] = [0, 0];
  for (const one of clusters) {
    successes += one.successes;
    attempts += one.attempts;
  }
  return { successes, attempts };
};

/**
 * Intraclass correlation of attempts in one cluster, 0…1: variance components by one-way analysis of variance (Donner,
 * 1986; for binary outcomes Ridout, Demétrio and Firth, 1999), summed over `groups` of clusters, each with a mean of
 * its own. The assumed correlation counts as a further cluster, so that a single cluster, or equal outcomes, give the
 * assumption.
 */
export function correlation(groups: readonly (readonly Cluster[])[], assumed: number): number {
  let between = assumedWeight * assumed * 0.25;
  let all = assumedWeight * 0.25;
  for (const group of groups) {
    const clusters = judged(group);
    const { successes, attempts } = total(clusters);
    if (clusters.length < 2 || attempts === clusters.length) continue;
    const mean = successes / attempts;
    let [squaresBetween, squaresWithin, squaredSizes] = [0, 0, 0];
    for (const one of clusters) {
      const p = one.successes / one.attempts;
      squaresBetween += one.attempts * (p - mean) ** 2;
      squaresWithin += one.attempts * p * (1 - p);
      squaredSizes += one.attempts ** 2;
    }
    const freedom = clusters.length - 1;
    const within = squaresWithin / (attempts - clusters.length);
    const size = (attempts - squaredSizes / attempts) / freedom;
    const component = (squaresBetween / freedom - within) / size;
    between += clusters.length * component;
    all += clusters.length * (component + within);
  }
  return Math.min(1, Math.max(0, between / all));
}

/**
 * Independent attempts that clusters are worth: n over the design effect 1 + (m − 1)ρ (Kish, 1965), with m = Σn²/Σn where
 * clusters differ in size. With ρ = 1 a cluster is worth one attempt.
 */
export function effectiveAttempts(clusters: readonly Cluster[], rho: number): number {
  const { attempts } = total(clusters);
  if (attempts === 0) return 0;
  const size = clusters.reduce((sum, one) => sum + one.attempts ** 2, 0) / attempts;
  return attempts / (1 + (size - 1) * rho);
}

/**
 * p̂ over clusters drawn from many (an epoch's families, a validation's tasks): the correlation is estimated from them,
 * and Student's quantile widens the interval for few clusters (Korn and Graubard, 1998). The effective sample is at
 * least one attempt a cluster, since a mean of rates never varies more than one of outcomes.
 * @param assumed correlation used where the clusters give no estimate
 */
export function clusteredRate(clusters: readonly Cluster[], assumed: number): SuccessRate {
  const some = judged(clusters);
  const { successes, attempts } = total(some);
  return successRate(successes, attempts, worthOf(some, correlation([some], assumed)));
}

/** The same where only totals are known, of that many clusters alike. */
export function assumedRate({ successes, attempts }: Cluster, clusters: number, assumed: number): SuccessRate {
  const count = Math.min(attempts, Math.max(1, Math.round(clusters)));
  const alike = Array.from({ length: count }, () => ({ successes: 0, attempts: attempts / count }));
  return successRate(successes, attempts, worthOf(alike, assumed));
}

function worthOf(clusters: readonly Cluster[], rho: number): number {
  const fewer = (z / expandedQuantile(clusters.length - 1 + assumedWeight)) ** 2;
  return Math.max(effectiveAttempts(clusters, rho) * fewer, effectiveAttempts(clusters, 1));
}

/**
 * p̂ of an epoch over its families, and of each family over its tasks. A few tasks do not determine the correlation of
 * their attempts: families borrow the correlation of all tasks of the epoch. A single task's attempts are independent.
 * @param families counts of each one's tasks
 */
export function epochRates(families: readonly (readonly Cluster[])[]): { epoch: SuccessRate; families: SuccessRate[] } {
  const rho = correlation(families, assumedCorrelation.task);
  const single = families.every((tasks) => tasks.length < 2);
  return {
    epoch: clusteredRate(families.map(total), single ? assumedCorrelation.task : assumedCorrelation.family),
    families: families.map((tasks) => {
      const some = judged(tasks);
      const { successes, attempts } = total(some);
      return successRate(successes, attempts, some.length < 2 ? attempts : effectiveAttempts(some, rho));
    }),
  };
}
