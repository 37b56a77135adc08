/** Draws only what is in sight. @returns says that something changed: drawn now, or once it comes into sight */
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
