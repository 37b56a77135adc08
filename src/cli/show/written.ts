import { embeddedFailureOf, embeddedFiguresOf } from '../../shared/journal/embeddedParts.ts';
import type { EventOf } from '../../shared/journal/events.ts';
import { defined } from '../../shared/defined.ts';
import { onOneLine, styled, type Printable } from '../text/styled.ts';
import { table, type Column } from '../text/table.ts';
import { count, inColumn, rate } from '../../shared/text/figures/numbers.ts';
import { percentToTenth } from '../../shared/text/figures/shares.ts';

type Written = Pick<EventOf<'tasks.generated'>, 'epoch' | 'written' | 'accepted' | 'rejected' | 'quality'>;

/**
 * `show RUN --written`: outcomes of the environment's texts by cause, and the diversity of the tasks; for all domains
 * together, then for each.
 */
export function writtenLines(
  epochs: readonly (Written & Pick<EventOf<'tasks.generated'>, 'domains'>)[],
  { width }: { width: number },
): Printable[] {
  if (epochs.length === 0) return ['The environment wrote nothing in this run yet.'];
  const names = epochs.at(-1)?.domains?.map(({ domain }) => domain) ?? [];
  return [
    ...linesOf(epochs, width),
    ...names.flatMap((name) => {
      const own = epochs.flatMap(({ epoch, domains = [] }) =>
        domains.filter(({ domain }) => domain === name).map((figures): Written => ({ epoch, ...figures })),
      );
      return ['', styled`Of the domain ${onOneLine(name)}`, '', ...linesOf(own, width)];
    }),
  ];
}

function linesOf(epochs: readonly Written[], width: number): Printable[] {
  const causes = [...new Set(epochs.flatMap(({ rejected }) => Object.keys(rejected)))].sort();
  const columns: readonly Column<Written>[] = [
    { title: 'epoch', cell: ({ epoch }) => String(epoch), right: true },
    { title: 'written', cell: ({ written }) => count(written), right: true },
    { title: 'accepted', cell: ({ accepted }) => count(accepted), right: true },
    ...causes.map((cause) => ({
      title: cause,
      cell: ({ rejected }: Written) => count(rejected[cause] ?? 0),
      right: true,
    })),
  ];
  const measured = epochs.some(({ quality }) => quality !== undefined);
  return [
    ...table(columns, epochs, width),
    '',
    ...(measured
      ? table(qualityColumns, epochs, width)
      : [
          'How diverse they are was not measured: by words these tasks cannot be told apart, or an older version wrote the run.',
        ]),
    ...embeddedLines(epochs, width),
  ];
}

/** None where no embedding server was asked. */
function embeddedLines(epochs: readonly Written[], width: number): Printable[] {
  const measured = epochs.filter(({ quality = null }) => embeddedFiguresOf(quality) !== null);
  const failed = epochs.flatMap(({ epoch, quality = null }) => {
    const failure = embeddedFailureOf(quality);
    return failure === null ? [] : [{ epoch, failure }];
  });
  const newest = failed.at(-1);
  return [
    ...(measured.length === 0 ? [] : ['', 'By embeddings (distance is 1 − cosine)', '']),
    ...(measured.length === 0 ? [] : table(embeddedColumns, measured, width)),
    ...(newest === undefined
      ? []
      : [
          '',
          styled`Without embeddings in ${count(failed.length)} of ${count(epochs.length)} epochs; in epoch ${String(newest.epoch)}: ${onOneLine(newest.failure)}`,
        ]),
  ];
}

type Figures = NonNullable<ReturnType<typeof embeddedFiguresOf>>;

const embeddedColumn = (title: string, of: (figures: Figures) => string, spare?: number): Column<Written> => ({
  title,
  cell: ({ quality = null }) => {
    const found = embeddedFiguresOf(quality);
    return found === null ? '–' : of(found);
  },
  right: true,
  ...defined({ spare }),
});

const embeddedColumns: readonly Column<Written>[] = [
  { title: 'epoch', cell: ({ epoch }) => String(epoch), right: true },
  embeddedColumn('any two', ({ distance }) => rate(distance.mean)),
  embeddedColumn('nearest', ({ distance }) => rate(distance.nearest)),
  embeddedColumn('to seed', ({ seedDistance }) => rate(seedDistance.own)),
  embeddedColumn('nearest seed', ({ seedDistance }) => rate(seedDistance.nearest), 2),
  embeddedColumn('clusters', ({ clusters }) => (clusters === null ? '–' : count(clusters.count))),
  embeddedColumn('largest', ({ clusters }) => percentToTenth(clusters?.largest ?? null)),
  embeddedColumn('of seeds', ({ clusters }) => percentToTenth(clusters?.seeds ?? null), 3),
];

const qualityColumns: readonly Column<Written>[] = [
  { title: 'epoch', cell: ({ epoch }) => String(epoch), right: true },
  {
    title: 'compared',
    cell: ({ quality }) => (quality === undefined ? '–' : count(quality.tasks)),
    right: true,
    spare: 1,
  },
  {
    title: 'clusters',
    cell: ({ quality }) => (quality === undefined ? '–' : count(quality.clusters.count)),
    right: true,
  },
  { title: 'largest', cell: ({ quality }) => percentToTenth(quality?.clusters.largest ?? null), right: true },
  { title: 'of seeds', cell: ({ quality }) => percentToTenth(quality?.clusters.seeds ?? null), right: true, spare: 4 },
  ...[1, 2, 3, 4].map((n): Column<Written> => ({
    title: `distinct-${n}`,
    cell: ({ quality }) => rate(quality?.distinct[n - 1] ?? null),
    right: true,
    ...(n !== 2 && { spare: n === 1 ? 6 : 5 + n }),
  })),
  { title: 'overlap', cell: ({ quality }) => inColumn(quality?.similarity.mean ?? null), right: true, spare: 3 },
  { title: 'nearest', cell: ({ quality }) => inColumn(quality?.similarity.nearest ?? null), right: true },
  { title: 'to seed', cell: ({ quality }) => inColumn(quality?.seedDistance.own ?? null), right: true },
  {
    title: 'nearest seed',
    cell: ({ quality }) => inColumn(quality?.seedDistance.nearest ?? null),
    right: true,
    spare: 5,
  },
  { title: 'drift', cell: ({ quality }) => inColumn(quality?.drift.first ?? null), right: true },
  { title: 'since last', cell: ({ quality }) => inColumn(quality?.drift.previous ?? null), right: true, spare: 2 },
];
