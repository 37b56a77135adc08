/**
 * One crosshair for all charts of a page: the epoch that is read in one is marked in the others. Charts are found in the
 * page, so one that went away needs no farewell.
 */

/** Marks an epoch; null marks none. */
type Follow = (epoch: number | null) => void;

const followers = new WeakMap<Element, Follow>();
let shown: number | null = null;

/** @param node the chart, which must have the class `chart` or `cloud` */
export function followCrosshair(node: Element, follow: Follow): void {
  followers.set(node, follow);
}

/** @param from the chart that is read, which marks its own place */
export function moveCrosshair(from: Element, epoch: number | null): void {
  if (epoch === shown) return;
  shown = epoch;
  for (const node of document.querySelectorAll('.chart, .cloud')) {
    if (node !== from) followers.get(node)?.(epoch);
  }
}
