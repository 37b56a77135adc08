import type { LineSeries } from '../charts/lineChart.ts';

const tones = ['environment', 'ink', 'muted'] as const;
const marks = ['diamond', 'square', 'circle'] as const;

/** How the line of one of a run's domains differs from the others: by tone, mark and dashes. */
export const domainLook = (domain: string, i: number): Omit<LineSeries, 'points'> => ({
  label: domain,
  tone: tones[i % tones.length] ?? 'ink',
  mark: marks[i % marks.length] ?? 'circle',
  dashed: i >= tones.length,
});
