/** What the kernel's drawing and its table show. Pure. */
import { blur, type Blur, type Measurement } from '../../src/engine/math/blur.ts';
import { assumedCorrelation } from '../../src/engine/math/clusters.ts';
import { environmentReward, keepShare } from '../../src/engine/math/curriculum.ts';
import type { Experiment } from '../../src/shared/experiment/schema.ts';

export interface KernelPoint {
  /** The true success rate. */
  p: number;
  /** R_env if p were measured exactly. */
  reward: number;
  /** exp(λR_env) against the largest there can be. */
  weight: number;
  /** What the filter would do if p were measured exactly. */
  keep: number;
  /** What it does on what p̂ is measured on. */
  blurred: Blur;
}

export interface KernelView {
  curriculum: Experiment['curriculum'];
  /** What one p̂ is measured on, with the correlation that is assumed. */
  measured: Measurement;
  points: readonly KernelPoint[];
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
  const weight = (reward: number): number => Math.exp(lambda * (reward - 1));
  const rates = Array.from({ length: steps + 1 }, (_, i) => i / steps);
  // The peak and the edges of the band are never cut off.
  const onGrid = (p: number): boolean => Math.abs(p * steps - Math.round(p * steps)) < 1e-9;
  const edges = [alpha, alpha - kMin, alpha + kMin].filter((p) => p >= 0 && p <= 1 && !onGrid(p));
  const points = [...new Set([...rates, ...edges])]
    .sort((a, b) => a - b)
    .map((p): KernelPoint => {
      const reward = environmentReward(p, curriculum);
      return {
        p,
        reward,
        weight: weight(reward),
        keep: keepShare(p, curriculum.filter, curriculum),
        blurred: blur(p, measured, curriculum),
      };
    });
  const lowest = Math.min(environmentReward(0, curriculum), environmentReward(1, curriculum));
  const edge = environmentReward(alpha + Math.min(kMin, Math.max(alpha, 1 - alpha)), curriculum);
  return {
    curriculum,
    measured,
    points,
    contrast: { whole: 1 / weight(lowest), band: 1 / weight(edge) },
  };
}

/** The point nearest to a rate. */
export function pointAt({ points }: KernelView, p: number): KernelPoint | undefined {
  let best = points[0];
  for (const point of points) if (best === undefined || Math.abs(point.p - p) < Math.abs(best.p - p)) best = point;
  return best;
}
