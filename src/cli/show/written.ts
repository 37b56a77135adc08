import type { EventOf } from '../../shared/journal/events.ts';
import { count, figures, percent, rate } from '../text/numbers.ts';
import type { Printable } from '../text/styled.ts';
import { table, type Column } from '../text/table.ts';

type Written = Pick<EventOf<'tasks.generated'>, 'epoch' | 'written' | 'accepted' | 'rejected' | 'quality'>;

/** `show RUN --written`: what became of the environment's texts by cause, and how diverse the tasks are. */
export function writtenLines(epochs: readonly Written[], { width }: { width: number }): Printable[] {
  if (epochs.length === 0) return ['The environment wrote nothing in this run yet.'];
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
  ];
}

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
  { title: 'largest', cell: ({ quality }) => percent(quality?.clusters.largest ?? null), right: true },
  { title: 'of seeds', cell: ({ quality }) => percent(quality?.clusters.seeds ?? null), right: true, spare: 4 },
  ...[1, 2, 3, 4].map((n): Column<Written> => ({
    title: `distinct-${n}`,
    cell: ({ quality }) => rate(quality?.distinct[n - 1] ?? null),
    right: true,
    ...(n === 2 ? {} : { spare: n === 1 ? 6 : 5 + n }),
  })),
  { title: 'overlap', cell: ({ quality }) => figures(quality?.similarity.mean ?? null), right: true, spare: 3 },
  { title: 'nearest', cell: ({ quality }) => figures(quality?.similarity.nearest ?? null), right: true },
  { title: 'to seed', cell: ({ quality }) => figures(quality?.seedDistance.own ?? null), right: true },
  {
    title: 'nearest seed',
    cell: ({ quality }) => figures(quality?.seedDistance.nearest ?? null),
    right: true,
    spare: 5,
  },
  { title: 'drift', cell: ({ quality }) => figures(quality?.drift.first ?? null), right: true },
  { title: 'since last', cell: ({ quality }) => figures(quality?.drift.previous ?? null), right: true, spare: 2 },
];
