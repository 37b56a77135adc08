/** The horizontal axis that all charts over epochs share. Pure. */
import { scaleLinear, type ScaleLinear } from 'd3';

export type EpochScale = ScaleLinear<number, number>;

/** Epoch e takes the column from e − ½ to e + ½, so that the first and last have room. */
export function epochScale(
  [first, last]: readonly [number, number],
  [left, right]: readonly [number, number],
): EpochScale {
  return scaleLinear([first - 0.5, last + 0.5], [left, right]);
}

/** Round epochs to label, about `room` pixels apart, with the last and, where there is room, the first. */
export function epochTicks(scale: EpochScale, room = 64): number[] {
  const [low = 0, high = 0] = scale.domain();
  const [first, last] = [Math.ceil(low), Math.floor(high)];
  const [left = 0, right = 0] = scale.range();
  const most = Math.max(2, Math.floor((right - left) / room));
  const ticks = scale.ticks(most).filter((tick) => Number.isInteger(tick) && tick >= first && tick <= last);
  const clear = room * 0.6;
  const round = [...ticks.filter((tick) => tick !== last && scale(last) - scale(tick) >= clear), last];
  const [leftmost = last] = round;
  return scale(leftmost) - scale(first) >= clear ? [first, ...round] : round;
}

/** Width of one epoch's column in pixels. */
export function columnWidth(scale: EpochScale): number {
  return scale(1) - scale(0);
}
