/** Small charts of the quality of written tasks: diversity, distance from the seeds, drift. */
import * as l10n from '@vscode/l10n';
import { count, measure, rate } from '../../../src/shared/text/figures/numbers.ts';
import { percent } from '../../../src/shared/text/figures/shares.ts';
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
} from '../../report/quality/qualityLines.ts';
import type { RunModel } from '../runModel.ts';
import { linesShown, type Missing, type Shown, type SmallChart } from './smallCharts.ts';
import { inWords } from './recordedWords.ts';

/** In a function, so that titles are read in the page's language. */
export function qualityCharts(): SmallChart[] {
  return [
    chart('distinct', l10n.t('Distinct n-grams'), distinctLines, { unit: l10n.t('share of n-grams'), format: rate }),
    chart('likeness', l10n.t('Overlap of the written tasks'), likenessLines, {
      unit: l10n.t('shared word triples'),
      format: measure,
    }),
    clusters(),
    chart('seed-distance', l10n.t('Distance to the seeds'), seedLines, {
      unit: l10n.t('1 − shared word triples'),
      format: rate,
    }),
    drift(),
    embedded('embedded-distance', l10n.t('Distance by embeddings'), embeddedLines, {
      unit: l10n.t('1 − cosine'),
      format: rate,
    }),
    embedded('embedded-clusters', l10n.t('Largest cluster, by embeddings'), embeddedClusterLines, {
      unit: l10n.t('share of tasks'),
      format: percent,
    }),
  ];
}

function label(key: QualityKey): string {
  const labels: Record<QualityKey, string> = {
    distinct1: l10n.t('distinct-1'),
    distinct2: l10n.t('distinct-2'),
    distinct3: l10n.t('distinct-3'),
    distinct4: l10n.t('distinct-4'),
    all: l10n.t('any two tasks'),
    nearest: l10n.t('with the nearest'),
    largest: l10n.t('largest cluster'),
    seeds: l10n.t('of their seeds'),
    own: l10n.t('its own seed'),
    nearestSeed: l10n.t('the nearest seed'),
    first: l10n.t('first epoch'),
    previous: l10n.t('epoch before'),
    embeddedAll: l10n.t('any two tasks'),
    embeddedNearest: l10n.t('the nearest task'),
    embeddedOwn: l10n.t('its own seed'),
    embeddedLargest: l10n.t('largest cluster'),
    embeddedSeeds: l10n.t('of their seeds'),
  };
  return labels[key];
}

interface How {
  unit: string;
  format: (value: number) => string;
  reading?: string;
}

const chart = (id: string, title: string, lines: readonly QualityLine[], how: How): SmallChart => ({
  id,
  title,
  show: (model) => qualityShown(model, lines, how),
});

function qualityShown(model: RunModel, lines: readonly QualityLine[], how: How): Shown | Missing {
  if (model.rows.every(({ quality }) => quality === null)) {
    const none = model.rows.every(({ written }) => written === 0);
    return {
      missing: none
        ? l10n.t('Nothing has been written in these epochs.')
        : l10n.t('Not measured: these tasks do not differ in their words, or an older version wrote the run.'),
    };
  }
  return linesShown(
    model,
    lines.map(({ key, ...line }) => ({ ...line, label: label(key) })),
    how,
  );
}

/** Drawn where an embedding server was asked. */
const embedded = (id: string, title: string, lines: readonly QualityLine[], how: How): SmallChart => ({
  id,
  title,
  absent: ({ rows }) => !asksForEmbeddings(rows),
  show(model) {
    const missing = missingEmbeddings(model.rows);
    const note =
      missing &&
      l10n.t(
        'Epochs without vectors: {0}. In epoch {1}: {2}',
        count(missing.count),
        count(missing.epoch),
        inWords(missing.why),
      );
    if (model.rows.every((row) => lines.every(({ value }) => value(row) === null))) {
      return { missing: note ?? l10n.t('A single seed task tells no distance of different tasks.') };
    }
    const shown = qualityShown(model, lines, how);
    return 'missing' in shown || note === null ? shown : { ...shown, note };
  },
});

const clusters = (): SmallChart => ({
  id: 'clusters',
  title: l10n.t('Tasks in the largest cluster'),
  show(model) {
    const shown = qualityShown(model, clusterLines, {
      ...{ unit: l10n.t('share of tasks'), format: percent },
      reading: clusterReading(model.rows),
    });
    if ('missing' in shown) return shown;
    const measured = model.rows.flatMap(({ epoch, quality }) => (quality === null ? [] : [{ epoch, ...quality }]));
    const last = measured.at(-1);
    return {
      ...shown,
      ...(last !== undefined && { value: percent(last.clusters.largest) }),
      columns: [
        ...shown.columns,
        { title: l10n.t('Clusters'), format: count },
        { title: l10n.t('Tasks compared'), format: count },
      ],
      rows: measured.map(({ epoch, tasks, clusters: { count: found, largest, seeds } }) => [
        epoch,
        largest,
        seeds,
        found,
        tasks,
      ]),
    };
  },
});

const drift = (): SmallChart => ({
  id: 'drift',
  title: l10n.t('Drift of the words'),
  show(model) {
    const measured = model.rows.filter(({ quality }) => quality !== null).length;
    if (measured === 1) return { missing: l10n.t('One epoch was written: there is none to compare it with.') };
    return qualityShown(model, driftLines, { unit: l10n.t('divergence, bits'), format: measure });
  },
});
