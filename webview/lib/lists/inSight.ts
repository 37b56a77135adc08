/** Draws only visible elements. @returns a function that reports a change: drawn now, or once visible */
export function drawnInSight(node: Element, draw: () => void): () => void {
  let inSight = false;
  let stale = true;
  const drawIfSeen = (): void => {
    if (!inSight || !stale) return;
    stale = false;
    draw();
  };
  new IntersectionObserver(([entry]) => {
    inSight = entry?.isIntersecting ?? false;
    drawIfSeen();
  }).observe(node);
  return () => {
    stale = true;
    drawIfSeen();
  };
}
