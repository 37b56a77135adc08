/** Sampler against trainer before each update of the agent. */
import { nats, number } from '../../../src/shared/text/figures/numbers.ts';
import { lineChart } from '../../charts/lineChart.ts';
import { cell, pointsOf, type Context } from '../context.ts';
import { figure, missingFigure } from '../figure.ts';
import { mismatchNote, mismatchOf, mismatchReading, mostMismatch } from './mismatchWords.ts';

export function mismatchFigure({ data, span }: Context): HTMLElement {
  const title = 'Sampler against trainer';
  const points = pointsOf(data.epochs, mismatchOf);
  if (points.length === 0)
    return missingFigure('mismatch', title, 'No update has told how far sampler and trainer were apart.');
  const v1 = pointsOf(data.epochs, ({ agent: { mismatch } }) => mismatch?.v1 ?? null);
  const reading = mismatchReading(data.epochs);
  const chart = lineChart({
    name: 'Sampler against trainer before each update of the agent, by epoch',
    reading,
    unit: 'nats per token',
    series: [
      { label: '½ (q − p)²', tone: 'agent', mark: 'circle', points },
      { label: 'q − p', tone: 'muted', mark: 'square', dashed: true, points: v1 },
    ],
    references: [{ label: `too large ${number(mostMismatch)}`, value: mostMismatch }],
    epochs: span,
    changes: data.changes,
    format: nats,
  });
  const twin = {
    columns: ['Epoch', '½ mean (q − p)²', 'mean (q − p)'],
    rows: () =>
      data.epochs.map(({ epoch, agent: { mismatch } }) => [
        String(epoch),
        cell(mismatch?.v2, nats),
        cell(mismatch?.v1, nats),
      ]),
  };
  return figure({ id: 'mismatch', title, reading, chart: chart.node, twin, note: mismatchNote() });
}
