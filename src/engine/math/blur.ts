/** The effect of few attempts on a true success rate p: the environment is rewarded on p̂, which scatters around p. */
import { betaBinomial, sumOf } from './betaBinomial.ts';
import { binomial } from './binomial.ts';
import { rewardKind, taskReward } from '../rewardKinds/kinds.ts';
import type { RewardSettings } from '../rewardKinds/reward.ts';
import { keepShare } from './curriculum.ts';
import { estimateOf } from './successRate.ts';

/** The settings that determine the value computed from p̂. */
export interface BlurSettings extends RewardSettings {
  filter: 'hard' | 'soft' | 'off';
  estimate: 'mean' | 'posterior';
}

export interface Blur {
  /** Mean and standard deviation of p̂, or of the estimate used in its place. */
  estimate: { mean: number; deviation: number };
  /** Mean and standard deviation of R_env; for rewards of change, their values by chance alone. */
  reward: { mean: number; deviation: number };
  /** Share of such families that the difficulty filter keeps; its mean weight where the filter is soft. */
  kept: number;
}

/** The sample behind p̂: clusters of attempts, such as the tasks of a family, and the correlation within a cluster. */
export interface Measurement {
  clusters: number;
  /** Attempts a cluster. */
  attempts: number;
  /** Of two attempts in one cluster, 0…1; with 0 all are independent. */
  correlation: number;
}

/** Up to so many attempts sums are exact; of more, p̂ is nearly that of the independent ones that they are worth. */
const mostExact = 512;

/** Independent attempts that a measurement is worth. */
export const worthOf = ({ clusters, attempts, correlation }: Measurement): number =>
  (clusters * attempts) / (1 + (attempts - 1) * correlation);

/** p̂ with its probability. Clusters draw their own rates about p, from a Beta distribution. */
function distribution(p: number, measured: Measurement): { k: number; n: number; probability: number }[] {
  const { clusters, attempts, correlation } = measured;
  const all = clusters * attempts;
  if (all <= mostExact) {
    const sums = sumOf(clusters, betaBinomial(attempts, p, correlation));
    return sums.map((probability, k) => ({ k, n: all, probability }));
  }
  const worth = Math.max(1, Math.round(worthOf(measured)));
  const { first, probabilities } = binomial(worth, p);
  return probabilities.map((probability, i) => ({ k: ((first + i) * all) / worth, n: all, probability }));
}

type Moments = Blur['estimate'];

interface Outcome {
  probability: number;
  value: number;
}

/** Sums over the distribution of the successes. */
export function blur(p: number, measured: Measurement, settings: BlurSettings): Blur {
  const outcomes = distribution(p, measured).map(({ k, n, probability }) => {
    const estimate = estimateOf(k, n, settings.estimate);
    return { probability, rate: k / n, estimate, keep: keepShare(estimate, settings.filter, settings) };
  });
  return {
    estimate: moments(outcomes.map(({ probability, estimate }) => ({ probability, value: estimate }))),
    reward: rewardMoments(p, measured, settings, outcomes),
    kept: outcomes.reduce((sum, { probability, keep }) => sum + probability * keep, 0),
  };
}

function moments(outcomes: readonly Outcome[]): Moments {
  const mean = outcomes.reduce((sum, { probability, value }) => sum + probability * value, 0);
  const variance = outcomes.reduce((sum, { probability, value }) => sum + probability * (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(variance) };
}

function rewardMoments(
  p: number,
  measured: Measurement,
  settings: BlurSettings,
  outcomes: readonly { probability: number; rate: number; estimate: number }[],
): Moments {
  const kind = rewardKind(settings);
  if (kind.of === 'rate') {
    return moments(
      outcomes.map(({ probability, estimate }) => ({ probability, value: kind.reward(estimate, settings) })),
    );
  }
  if (kind.of === 'change') return chanceDifference(outcomes);
  if (kind.of === 'file') return { mean: 0, deviation: 0 };
  // Each task by itself, and the mean over the tasks of the scope.
  const { clusters, attempts, correlation } = measured;
  const one = distribution(p, { clusters: 1, attempts, correlation });
  const { mean, deviation } = moments(
    one.map(({ k, n, probability }) => ({
      probability,
      value: taskReward({ successes: k, attempts: n, signal: null }, settings) ?? 0,
    })),
  );
  return { mean, deviation: deviation / Math.sqrt(clusters) };
}

/** |x − y| of two independent measurements of the same rate: its mean is 2∫F(1 − F), its mean square twice the variance. */
function chanceDifference(outcomes: readonly { probability: number; rate: number }[]): Moments {
  let [below, mean] = [0, 0];
  for (const [i, { probability, rate }] of outcomes.entries()) {
    below += probability;
    mean += 2 * below * Math.max(0, 1 - below) * ((outcomes[i + 1]?.rate ?? rate) - rate);
  }
  const { deviation } = moments(outcomes.map(({ probability, rate }) => ({ probability, value: rate })));
  return { mean, deviation: Math.sqrt(Math.max(0, 2 * deviation ** 2 - mean ** 2)) };
}
