/** Where a loss leaves a token out, or holds its weight, since the policy has moved too far from the one that sampled it. */

/** The agent's loss, as an experiment sets it. */
export interface ClippedLoss {
  loss: 'importance_sampling' | 'ppo' | 'cispo';
  /** Bounds of the ratio p/q. */
  clipLow: number;
  clipHigh: number;
}

/** `free`: the ratio counts as it is; `above`, `below`: it is held at the upper, the lower bound. */
export type Clip = 'free' | 'above' | 'below';

/**
 * As the losses of docs/method.md have it. `ppo` min(r·A, clip(r)·A): a token whose ratio has already moved past a bound in
 * the advantage's direction has no gradient. `cispo`: the ratio is a weight, held between the bounds.
 */
export function clipOf({ loss, clipLow, clipHigh }: ClippedLoss, ratio: number, advantage: number): Clip {
  // A token without advantage contributes nothing, whatever its ratio.
  if (loss === 'importance_sampling' || advantage === 0) return 'free';
  if (ratio > clipHigh) return loss === 'cispo' || advantage > 0 ? 'above' : 'free';
  if (ratio < clipLow) return loss === 'cispo' || advantage < 0 ? 'below' : 'free';
  return 'free';
}
