/** The layout of the calibration chart. Pure. */
import { scaleLinear, type ScaleLinear } from 'd3';
import type { Curriculum, FamilyPoint } from '../../src/shared/report/data.ts';
import { columnWidth, epochScale, type EpochScale } from './epochScale.ts';
import { jitter } from './jitter.ts';
import { kernelCurve, type KernelPoint } from './kernel.ts';

export interface CalibrationEpoch {
  epoch: number;
  curriculum: Curriculum;
  /** Pooled over the epoch's families; null when nothing was measured. */
  mean: { p: number; low: number; high: number } | null;
}

export interface Dot {
  x: number;
  y: number;
  kept: boolean;
  family: FamilyPoint;
}

interface BandSegment {
  from: number;
  to: number;
  /** Pixels: upper edge, lower edge, α. */
  top: number;
  bottom: number;
  alpha: number;
}

export interface BandGeometry {
  x: EpochScale;
  y: ScaleLinear<number, number>;
  /** R_env from 0 to 1, left to right in the kernel's panel. */
  reward: ScaleLinear<number, number>;
  dots: Dot[];
  dotRadius: number;
  dotOpacity: number;
  bands: BandSegment[];
  mean: { epoch: number; x: number; y: number; low: number; high: number }[];
  /** The reward in force at the end, last; before it those that a person changed. */
  kernels: PlacedKernel[];
}

export type PlacedKernel = (KernelPoint & { x: number; y: number })[];

export interface CalibrationFrame {
  left: number;
  right: number;
  top: number;
  bottom: number;
  kernel: readonly [number, number];
}

/** How far dots may leave the middle of their column, as a share of its width. */
const spread = 0.28;

export function bandGeometry(
  epochs: readonly CalibrationEpoch[],
  families: readonly FamilyPoint[],
  frame: CalibrationFrame,
): BandGeometry {
  const first = epochs[0]?.epoch ?? 1;
  const last = epochs.at(-1)?.epoch ?? first;
  const x = epochScale([first, last], [frame.left, frame.right]);
  const y = scaleLinear([0, 1], [frame.bottom, frame.top]);
  const reward = scaleLinear([0, 1], frame.kernel);
  const column = columnWidth(x);
  const byEpoch = new Map(epochs.map((epoch) => [epoch.epoch, epoch]));
  return {
    x,
    y,
    reward,
    dots: families
      .filter(({ epoch }) => byEpoch.has(epoch))
      .map((family) => ({
        x: x(family.epoch) + spread * Math.min(column, 90) * jitter(`${family.epoch} ${family.id}`),
        y: y(family.p),
        kept: family.kept > 0,
        family,
      })),
    dotRadius: Math.min(3.4, Math.max(1.6, column * 0.2)),
    // Dense clouds show their density by overlap; sparse ones should simply be seen.
    dotOpacity: Math.min(0.7, Math.max(0.22, 380 / Math.max(1, families.length))),
    bands: bandSegments(epochs, x, y),
    mean: epochs.flatMap(({ epoch, mean }) =>
      mean === null ? [] : [{ epoch, x: x(epoch), y: y(mean.p), low: y(mean.low), high: y(mean.high) }],
    ),
    kernels: rewardsInForce(epochs)
      .map((curriculum) => kernelCurve(curriculum).map((at) => ({ ...at, x: reward(at.reward), y: y(at.p) })))
      .filter((curve) => curve.length > 0),
  };
}

/** Curricula with different rewards, in the order in which they came last. */
function rewardsInForce(epochs: readonly CalibrationEpoch[]): Curriculum[] {
  const byReward = new Map<string, Curriculum>();
  for (const { curriculum } of epochs) {
    const key = `${curriculum.alpha} ${curriculum.beta}`;
    byReward.delete(key);
    byReward.set(key, curriculum);
  }
  return [...byReward.values()];
}

/** One segment for each stretch of epochs with the same α and k_min. */
function bandSegments(epochs: readonly CalibrationEpoch[], x: EpochScale, y: (p: number) => number): BandSegment[] {
  const segments: (BandSegment & { key: string })[] = [];
  const inside = (p: number): number => y(Math.min(1, Math.max(0, p)));
  for (const { epoch, curriculum } of epochs) {
    const { alpha, kMin } = curriculum;
    const key = `${alpha} ${kMin}`;
    const open = segments.at(-1);
    if (open?.key === key) open.to = x(epoch + 0.5);
    else {
      segments.push({
        key,
        from: open?.to ?? x(epoch - 0.5),
        to: x(epoch + 0.5),
        top: inside(alpha + kMin),
        bottom: inside(alpha - kMin),
        alpha: y(alpha),
      });
    }
  }
  return segments.map(({ from, to, top, bottom, alpha }) => ({ from, to, top, bottom, alpha }));
}
