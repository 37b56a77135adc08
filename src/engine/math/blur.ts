/** What a few attempts make of a true success rate p: the environment is rewarded on p̂, and p̂ scatters around p. */
import { betaBinomial, sumOf } from './betaBinomial.ts';
import { binomial } from './binomial.ts';
import { environmentReward, keepShare } from './curriculum.ts';
import { estimateOf } from './successRate.ts';

/** The settings that decide what p̂ is turned into. */
export interface BlurSettings {
  alpha: number;
  beta: number;
  kMin: number;
  filter: 'hard' | 'soft' | 'off';
  estimate: 'mean' | 'posterior';
}

export interface Blur {
  /** Mean and standard deviation of p̂, or of the estimate that stands for it. */
  estimate: { mean: number; deviation: number };
  /** Mean and standard deviation of R_env. */
  reward: { mean: number; deviation: number };
  /** Share of such families that the difficulty filter keeps; its mean weight where the filter is soft. */
  kept: number;
}

/** What p̂ is measured on: clusters of attempts, as tasks of a family are, and how much those in one agree. */
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

/** Sums over the distribution of the successes. */
export function blur(p: number, measured: Measurement, settings: BlurSettings): Blur {
  const outcomes = distribution(p, measured).map(({ k, n, probability }) => {
    const estimate = estimateOf(k, n, settings.estimate);
    const reward = environmentReward(estimate, settings);
    return { probability, estimate, reward, keep: keepShare(estimate, settings.filter, settings) };
  });
  const mean = (value: (outcome: (typeof outcomes)[number]) => number): number =>
    outcomes.reduce((sum, outcome) => sum + outcome.probability * value(outcome), 0);
  const moments = (value: (outcome: (typeof outcomes)[number]) => number): { mean: number; deviation: number } => {
    const centre = mean(value);
    return { mean: centre, deviation: Math.sqrt(mean((outcome) => (value(outcome) - centre) ** 2)) };
  };
  return {
    estimate: moments(({ estimate }) => estimate),
    reward: moments(({ reward }) => reward),
    kept: mean(({ keep }) => keep),
  };
}
