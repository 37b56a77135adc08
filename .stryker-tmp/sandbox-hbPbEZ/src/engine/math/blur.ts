/** What n attempts make of a family's true success rate p: the environment is rewarded on p̂, and p̂ scatters around p. */
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

/** Exact sums over the binomial distribution of the successes. */
export function blur(p: number, attempts: number, settings: BlurSettings): Blur {
  const { first, probabilities } = binomial(attempts, p);
  const outcomes = probabilities.map((probability, i) => {
    const estimate = estimateOf(first + i, attempts, settings.estimate);
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
