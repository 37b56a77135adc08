/** The data of the kernel's drawing and its table. Pure. */
import { blur, type Blur, type Measurement } from '../../src/engine/math/blur.ts';
import { assumedCorrelation } from '../../src/engine/math/written/clusters.ts';
import { rewardAt, rewardKind } from '../../src/engine/rewardKinds/kinds.ts';
import { inBand, keepShare } from '../../src/engine/math/curriculum.ts';
import { largest, smallest } from '../../src/shared/extremes.ts';
import type { RewardKind } from '../../src/engine/rewardKinds/reward.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';
import { outOfRange } from '../../src/shared/outOfRange.ts';

export interface KernelPoint {
  /** The true success rate. */
  p: number;
  /** R_env if p were measured exactly. */
  reward: number;
  /** exp(λR_env) against the largest. */
  weight: number;
  /** The filter's effect if p were measured exactly. */
  keep: number;
  /** Its effect on a measured p̂. */
  blurred: Blur;
}

export interface KernelView {
  curriculum: Experiment['curriculum'];
  /** The sample behind one p̂, with the assumed correlation. */
  measured: Measurement;
  points: readonly KernelPoint[];
  /** The reward's input. */
  of: RewardKind['of'];
  /** The true success rate whose measurements earn most on average. */
  best: number;
  /** Largest weight over smallest, over all p and within the band. */
  contrast: { whole: number; band: number };
}

const steps = 100;

/** More attempts than these blur nothing that could be seen. */
const most = 1_000_000;

/** A task's attempts are independent at its own rate; a family's tasks differ, and so do an epoch's families. */
function measurementOf({ curriculum: { scope }, generation, rollouts }: Experiment): Measurement {
  const { families, variations } = generation;
  const group = Math.min(most, rollouts.group);
  if (scope === 'task' || (scope === 'family' && variations === 1)) {
    return { clusters: 1, attempts: group, correlation: 0 };
  }
  if (scope === 'family') return { clusters: variations, attempts: group, correlation: assumedCorrelation.task };
  const correlation = variations === 1 ? assumedCorrelation.task : assumedCorrelation.family;
  return { clusters: families, attempts: variations * group, correlation };
}

export function kernelView(experiment: Experiment): KernelView {
  const { curriculum } = experiment;
  const { alpha, kMin, lambda } = curriculum;
  const measured = measurementOf(experiment);
  const rates = Array.from({ length: steps + 1 }, (_, i) => i / steps);
  // The peak and the edges of the band are never cut off.
  const onGrid = (p: number): boolean => Math.abs(p * steps - Math.round(p * steps)) < 1e-9;
  const edges = [alpha, alpha - kMin, alpha + kMin].filter((p) => p >= 0 && p <= 1 && !onGrid(p));
  const all = [...new Set([...rates, ...edges])].sort((a, b) => a - b);
  const rewards = all.map((p) => rewardAt(p, curriculum));
  const highest = largest(rewards);
  const points = all.map((p, i): KernelPoint => {
    const reward = rewards[i] ?? outOfRange();
    return {
      p,
      reward,
      weight: Math.exp(lambda * (reward - highest)),
      keep: keepShare(p, curriculum.filter, curriculum),
      blurred: blur(p, measured, curriculum),
    };
  });
  const most = points.reduce((best, point) => (point.blurred.reward.mean > best.blurred.reward.mean ? point : best));
  return {
    curriculum,
    of: rewardKind(curriculum).of,
    measured,
    points,
    best: most.p,
    contrast: {
      whole: contrast(rewards, lambda),
      band: contrast(
        rewards.filter((_, i) => inBand(all[i] ?? outOfRange(), curriculum)),
        lambda,
      ),
    },
  };
}

/** Largest weight over smallest. */
const contrast = (rewards: readonly number[], lambda: number): number =>
  rewards.length === 0 ? 1 : Math.exp(lambda * (largest(rewards) - smallest(rewards)));

/** The point nearest to a rate. */
export function pointAt({ points }: KernelView, p: number): KernelPoint | undefined {
  let best = points[0];
  for (const point of points) if (best === undefined || Math.abs(point.p - p) < Math.abs(best.p - p)) best = point;
  return best;
}
