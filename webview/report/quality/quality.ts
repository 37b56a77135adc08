/** Diversity of written tasks, their distance from the seeds, and drift. */
import { count, measure, plural, rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import { lineChart } from '../../charts/lineChart.ts';
import { cell, pointsOf, type Context } from '../context.ts';
import { figure, missingFigure } from '../figure.ts';
import {
  asksForEmbeddings,
  clusterLines,
  clusterReading,
  distinctLines,
  driftLines,
  embeddedClusterLines,
  embeddedLines,
  likenessLines,
  missingEmbeddings,
  seedLines,
  type QualityKey,
  type QualityLine,
} from './qualityLines.ts';
import { courseReading } from '../readings.ts';
import { columns, section } from '../section.ts';
import { defined } from '../../../src/shared/defined.ts';

const title = 'Are the written tasks diverse?';

export function qualitySection(context: Context): HTMLElement {
  const { data } = context;
  if (data.epochs.every(({ quality }) => quality === null)) {
    const none = data.epochs.every(({ written }) => written === 0);
    const why = none
      ? 'Nothing was written in these epochs.'
      : 'Not measured: these tasks do not differ in their words, or an older version wrote the run.';
    return section('quality', title, missingFigure('diversity', 'Diversity of the written tasks', why));
  }
  const one = data.epochs.filter(({ quality }) => quality !== null).length === 1;
  return section(
    'quality',
    title,
    columns(
      lines(context, {
        ...{ id: 'clusters', title: 'Tasks in the largest cluster', unit: 'share of tasks', format: percent },
        ...{ lines: clusterLines, reading: clusterReading(data.epochs), note: clusterNote, counts: true },
      }),
      lines(context, {
        ...{ id: 'likeness', title: 'Overlap of the written tasks', unit: 'shared word triples', format: measure },
        lines: likenessLines,
      }),
      lines(context, {
        ...{ id: 'distinct', title: 'Distinct n-grams', unit: 'share of n-grams', format: rate, lines: distinctLines },
      }),
      lines(context, {
        ...{ id: 'seed-distance', title: 'Distance to the seeds', unit: '1 − shared word triples', format: rate },
        lines: seedLines,
      }),
      one
        ? missingFigure('drift', 'Drift of the words', 'One epoch was written: there is none to compare it with.')
        : lines(context, {
            ...{
              id: 'drift',
              title: 'Drift of the words',
              unit: 'divergence, bits',
              format: measure,
              lines: driftLines,
            },
          }),
      ...embeddedFigures(context),
    ),
  );
}

/** None where the experiment names no embedding server. */
function embeddedFigures(context: Context): HTMLElement[] {
  const { epochs } = context.data;
  if (!asksForEmbeddings(epochs)) return [];
  const drawn = [
    {
      ...{ id: 'embedded-distance', title: 'Distance by embeddings', unit: '1 − cosine', format: rate },
      lines: embeddedLines,
    },
    {
      ...{ id: 'embedded-clusters', title: 'Tasks in the largest cluster, by embeddings', unit: 'share of tasks' },
      ...{ format: percent, lines: embeddedClusterLines },
    },
  ];
  const missing = missingEmbeddings(epochs);
  const why =
    missing &&
    `The server gave no vectors in ${plural(missing.count, 'epoch')}; in epoch ${missing.epoch}: ${missing.why}`;
  return drawn.map((one) =>
    epochs.some((row) => one.lines.some(({ value }) => value(row) !== null))
      ? lines(context, { ...one, ...defined({ note: why ?? undefined }) })
      : missingFigure(one.id, one.title, why ?? 'A single seed task tells no distance of different tasks.'),
  );
}

const clusterNote =
  'A cluster is a chain of tasks, each of which shares half of its word triples with the next. The same in other words is not found.';

const labels: Record<QualityKey, string> = {
  distinct1: 'distinct-1',
  distinct2: 'distinct-2',
  distinct3: 'distinct-3',
  distinct4: 'distinct-4',
  all: 'any two tasks',
  nearest: 'with the nearest',
  largest: 'largest cluster',
  seeds: 'of their seeds',
  own: 'its own seed',
  nearestSeed: 'the nearest seed',
  first: 'first epoch',
  previous: 'epoch before',
  embeddedAll: 'any two tasks',
  embeddedNearest: 'the nearest task',
  embeddedOwn: 'its own seed',
  embeddedLargest: 'largest cluster',
  embeddedSeeds: 'of their seeds',
};

interface Drawn {
  id: string;
  title: string;
  unit: string;
  format: (value: number) => string;
  lines: readonly QualityLine[];
  reading?: string;
  note?: string;
  /** Whether the table counts clusters and tasks. */
  counts?: boolean;
}

function lines({ data, span }: Context, drawn: Drawn): HTMLElement {
  const { id, unit, format, note, counts = false } = drawn;
  const parts = drawn.lines.map(({ key, value }) => ({ name: labels[key], unit: '', value, format }));
  const reading = drawn.reading ?? courseReading(data.epochs, parts);
  const chart = lineChart({
    name: `${drawn.title} by epoch`,
    reading,
    unit,
    series: drawn.lines.map(({ key, value, ...line }) => ({
      ...line,
      label: labels[key],
      points: pointsOf(data.epochs, value),
    })),
    references: [],
    epochs: span,
    changes: data.changes,
    format,
  });
  const measured = data.epochs.filter(({ quality }) => quality !== null);
  const twin = {
    columns: ['Epoch', ...parts.map(({ name }) => name), ...(counts ? ['Clusters', 'Tasks compared'] : [])],
    rows: () =>
      measured.map((row) => [
        String(row.epoch),
        ...parts.map(({ value }) => cell(value(row), format)),
        ...(counts ? [cell(row.quality?.clusters.count, count), cell(row.quality?.tasks, count)] : []),
      ]),
  };
  return figure({
    ...{ id, title: drawn.title, reading, chart: chart.node, twin },
    ...defined({ note }),
  });
}
