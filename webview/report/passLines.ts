/** The lines of a benchmark's evaluations: pass@k by epoch, one for each k that any of them has. */
import type { EvaluationRow } from '../../src/shared/report/data.ts';
import type { LineSeries } from '../charts/lineChart.ts';

export const passKs = (evaluations: readonly EvaluationRow[]): number[] => [
  ...new Set(evaluations.flatMap(({ pass }) => pass.map(({ k }) => k))),
];

/** The first k is drawn foremost. */
export const passLines = (evaluations: readonly EvaluationRow[]): LineSeries[] =>
  passKs(evaluations).map((k, i) => ({
    label: `pass@${k}`,
    tone: i === 0 ? 'agent' : 'muted',
    mark: i === 0 ? 'circle' : 'square',
    dashed: i > 0,
    points: evaluations.flatMap(({ epoch, pass }) =>
      pass.flatMap((one) =>
        one.k !== k || one.value === null ? [] : [{ epoch, value: one.value, low: one.low, high: one.high }],
      ),
    ),
  }));
