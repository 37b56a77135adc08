/** The lines of the quality of written tasks, in the report and on the dashboard: one a number. */
import * as l10n from '@vscode/l10n';
import { embeddedFailureOf, embeddedFiguresOf } from '../../../src/shared/journal/embeddedParts.ts';
import type { EpochRow } from '../../../src/shared/report/data.ts';
import { plural } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
import type { LineSeries } from '../../charts/lineChart.ts';
import { ends } from '../readings.ts';

export interface QualityLine extends Omit<LineSeries, 'points' | 'label'> {
  key: QualityKey;
  value: (row: EpochRow) => number | null;
}

export type QualityKey =
  | 'distinct1'
  | 'distinct2'
  | 'distinct3'
  | 'distinct4'
  | 'all'
  | 'nearest'
  | 'largest'
  | 'seeds'
  | 'own'
  | 'nearestSeed'
  | 'first'
  | 'previous'
  | 'embeddedAll'
  | 'embeddedNearest'
  | 'embeddedOwn'
  | 'embeddedLargest'
  | 'embeddedSeeds';

const distinct =
  (n: number) =>
  ({ quality }: EpochRow): number | null =>
    quality?.distinct[n - 1] ?? null;

export const distinctLines: readonly QualityLine[] = [
  { key: 'distinct4', tone: 'muted', mark: 'circle', dashed: true, value: distinct(4) },
  { key: 'distinct3', tone: 'ink', mark: 'diamond', value: distinct(3) },
  { key: 'distinct2', tone: 'environment', mark: 'square', value: distinct(2) },
  { key: 'distinct1', tone: 'agent', mark: 'circle', value: distinct(1) },
];

export const likenessLines: readonly QualityLine[] = [
  {
    ...{ key: 'nearest', tone: 'environment', mark: 'square' },
    value: ({ quality }) => quality?.similarity.nearest ?? null,
  },
  { key: 'all', tone: 'muted', mark: 'circle', dashed: true, value: ({ quality }) => quality?.similarity.mean ?? null },
];

export const clusterLines: readonly QualityLine[] = [
  {
    ...{ key: 'largest', tone: 'environment', mark: 'square' },
    value: ({ quality }) => quality?.clusters.largest ?? null,
  },
  {
    key: 'seeds',
    tone: 'muted',
    mark: 'circle',
    dashed: true,
    value: ({ quality }) => quality?.clusters.seeds ?? null,
  },
];

export const seedLines: readonly QualityLine[] = [
  { key: 'own', tone: 'environment', mark: 'square', value: ({ quality }) => quality?.seedDistance.own ?? null },
  {
    ...{ key: 'nearestSeed', tone: 'muted', mark: 'circle', dashed: true },
    value: ({ quality }) => quality?.seedDistance.nearest ?? null,
  },
];

export const driftLines: readonly QualityLine[] = [
  { key: 'first', tone: 'environment', mark: 'square', value: ({ quality }) => quality?.drift.first ?? null },
  {
    ...{ key: 'previous', tone: 'muted', mark: 'circle', dashed: true },
    value: ({ quality }) => quality?.drift.previous ?? null,
  },
];

const embedded =
  (of: (figures: NonNullable<ReturnType<typeof embeddedFiguresOf>>) => number | null) =>
  ({ quality }: EpochRow): number | null => {
    const figures = embeddedFiguresOf(quality);
    return figures === null ? null : of(figures);
  };

/** Distance is 1 − cosine. */
export const embeddedLines: readonly QualityLine[] = [
  { key: 'embeddedAll', tone: 'muted', mark: 'circle', dashed: true, value: embedded(({ distance }) => distance.mean) },
  { key: 'embeddedNearest', tone: 'environment', mark: 'square', value: embedded(({ distance }) => distance.nearest) },
  { key: 'embeddedOwn', tone: 'agent', mark: 'circle', value: embedded(({ seedDistance }) => seedDistance.own) },
];

export const embeddedClusterLines: readonly QualityLine[] = [
  {
    ...{ key: 'embeddedLargest', tone: 'environment', mark: 'square' },
    value: embedded(({ clusters }) => clusters?.largest ?? null),
  },
  {
    ...{ key: 'embeddedSeeds', tone: 'muted', mark: 'circle', dashed: true },
    value: embedded(({ clusters }) => clusters?.seeds ?? null),
  },
];

/** Whether an embedding server was asked in any epoch, whatever it gave. */
export const asksForEmbeddings = (epochs: readonly EpochRow[]): boolean =>
  epochs.some(({ quality }) => quality?.embedded !== undefined);

/** Epochs without vectors, and the newest reason; null where there are none. */
export function missingEmbeddings(epochs: readonly EpochRow[]): { count: number; epoch: number; why: string } | null {
  const failed = epochs.flatMap(({ epoch, quality }) => {
    const why = embeddedFailureOf(quality);
    return why === null ? [] : [{ epoch, why }];
  });
  const newest = failed.at(-1);
  return newest === undefined ? null : { count: failed.length, ...newest };
}

/** `Epoch 12: the largest of 40 clusters holds 71 % of 256 tasks compared; their seeds alone would make it 3 %.` */
export function clusterReading(epochs: readonly EpochRow[]): string {
  const between = ends(epochs, ({ quality }) => quality);
  if (between === null) return l10n.t('Not measured.');
  const { first, last } = between;
  const { tasks, clusters } = last.value;
  const told = l10n.t(
    'Epoch {0}: the largest of {1} holds {2} of {3} compared; if every task were its seed it would be {4}.',
    last.epoch,
    plural(clusters.count, l10n.t('cluster'), l10n.t('clusters')),
    percent(clusters.largest),
    plural(tasks, l10n.t('task'), l10n.t('tasks')),
    percent(clusters.seeds),
  );
  if (first.epoch === last.epoch) return told;
  return `${told} ${l10n.t('In epoch {0} it was {1}.', first.epoch, percent(first.value.clusters.largest))}`;
}
