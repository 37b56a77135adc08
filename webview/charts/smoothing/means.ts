/** Lines of means: what a course does where single epochs jump. Pure. */

/** Points that a mean is of; 1 leaves the line as it is measured. */
export const smoothings = [1, 5, 15] as const;
export type Smoothing = (typeof smoothings)[number];

/**
 * Each point at the mean height of those around it, as many on its left as on its right: fewer near the ends, so that the
 * last point, whose value is named, stays where it is.
 */
export function smoothed<P extends { y: number }>(points: readonly P[], over: Smoothing): P[] {
  const reach = (over - 1) / 2;
  return points.map((point, i) => {
    const side = Math.min(reach, i, points.length - 1 - i);
    const around = points.slice(i - side, i + side + 1);
    return { ...point, y: around.reduce((sum, { y }) => sum + y, 0) / around.length };
  });
}
