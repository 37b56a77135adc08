const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** The mean of each of at most `width` runs of neighbours; gaps stay gaps. */
function thinned(values: readonly (number | null)[], width: number): (number | null)[] {
  if (values.length <= width) return [...values];
  return Array.from({ length: width }, (_, i) => {
    const run = values
      .slice(Math.floor((i * values.length) / width), Math.floor(((i + 1) * values.length) / width))
      .filter((value) => value !== null);
    return run.length === 0 ? null : run.reduce((sum, value) => sum + value, 0) / run.length;
  });
}

/** A course in at most `width` cells, from `low` to `high`; `·` where nothing was measured. */
export function sparkline(
  values: readonly (number | null)[],
  width: number,
  { low, high }: { low: number; high: number },
): string {
  return thinned(values, width)
    .map((value) => {
      if (value === null) return '·';
      const share = high > low ? (value - low) / (high - low) : 0.5;
      return levels[Math.round(Math.min(1, Math.max(0, share)) * (levels.length - 1))] ?? levels[0];
    })
    .join('');
}
