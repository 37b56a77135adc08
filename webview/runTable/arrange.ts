/** Which runs the table shows, in which order and under which heads. Pure. */
import * as z from 'zod';
import { runStates, type RunRow } from '../../src/features/runTable/contract.ts';

export const columns = [
  'name',
  'state',
  'differs',
  'rate',
  'gain',
  'rollouts',
  'tokens',
  'left',
  'cost',
  'started',
] as const;
export type Column = (typeof columns)[number];

export const groupings = ['none', 'study', 'arm', 'seed', 'experiment'] as const;
export type Grouping = (typeof groupings)[number];

export const viewSchema = z.object({
  text: z.string(),
  state: z.enum(runStates).nullable(),
  tag: z.string().nullable(),
  study: z.string().nullable(),
  archived: z.boolean(),
  group: z.enum(groupings),
  sort: z.enum(columns),
  descending: z.boolean(),
  /** The run that the keyboard is at. */
  at: z.string().nullable(),
});
export type View = z.infer<typeof viewSchema>;

export const start: View = {
  ...{ text: '', state: null, tag: null, study: null, archived: false },
  ...{ group: 'none', sort: 'started', descending: true, at: null },
};

export interface RunLine {
  kind: 'run';
  row: RunRow;
  /** For every run that it branches off, from the first: whether more of that one's branches follow below. */
  rails: readonly boolean[];
}

export interface GroupLine {
  kind: 'group';
  name: string;
  rows: readonly RunRow[];
}

export type Line = RunLine | GroupLine;

/** Parts of a run's texts; all words must match. */
function matches(row: RunRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { name, id, experiment, differs, note, tags, study, mode } = row;
  const told = [name, id, experiment, differs, note, mode, ...tags.map((tag) => `#${tag}`), study?.name, study?.arm];
  const text = told.join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

export function filtered(rows: readonly RunRow[], { text, state, tag, study, archived }: View): RunRow[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter(
    (row) =>
      (archived || !row.archived) &&
      (state === null || row.state === state) &&
      (tag === null || row.tags.includes(tag)) &&
      (study === null || row.study?.name === study) &&
      matches(row, words),
  );
}

let collator: Intl.Collator | null = null;
/** `run 2` before `run 10`. */
const byText = (a: string, b: string): number =>
  (collator ??= new Intl.Collator('en', { numeric: true })).compare(a, b);

type Key = string | number | null;

/** The sort key of a column; null where unknown. */
function keyOf({ figures, ...row }: RunRow, column: Column): Key {
  switch (column) {
    case 'name':
      return row.name;
    case 'state':
      return runStates.indexOf(row.state);
    case 'differs':
      return row.differs === '' ? null : row.differs;
    case 'rate':
      return row.successRate?.p ?? null;
    case 'gain':
      return figures?.gain?.difference ?? null;
    case 'rollouts':
    case 'tokens':
    case 'left':
    case 'cost':
      return figures?.[column] ?? null;
    case 'started':
      return row.startedAt;
  }
}

/** Unknown values are last in both orders. */
function compareKeys(a: Key, b: Key, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : byText(String(a), String(b));
  return descending ? -order : order;
}

/** Pinned ones first, those alike newest first. */
function sorted(rows: readonly RunRow[], { sort, descending }: Pick<View, 'sort' | 'descending'>): RunRow[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row, sort) }));
  keyed.sort(
    (a, b) =>
      Number(b.row.pinned) - Number(a.row.pinned) ||
      compareKeys(a.key, b.key, descending) ||
      (a.row.startedAt < b.row.startedAt ? 1 : a.row.startedAt > b.row.startedAt ? -1 : byText(a.row.id, b.row.id)),
  );
  return keyed.map(({ row }) => row);
}

/** Branches below their parent, where that is among the rows. */
function withBranches(rows: readonly RunRow[]): RunLine[] {
  const shown = new Set(rows.map(({ dir }) => dir));
  const below = new Map<string, RunRow[]>();
  const roots: RunRow[] = [];
  for (const row of rows) {
    const of = row.parent?.dir;
    if (of === undefined || !shown.has(of) || of === row.dir) roots.push(row);
    else below.set(of, [...(below.get(of) ?? []), row]);
  }
  const lines: RunLine[] = [];
  const done = new Set<string>();
  const add = (row: RunRow, rails: readonly boolean[]): void => {
    if (done.has(row.dir)) return;
    done.add(row.dir);
    lines.push({ kind: 'run', row, rails });
    const branches = below.get(row.dir) ?? [];
    for (const [i, branch] of branches.entries()) add(branch, [...rails, i < branches.length - 1]);
  };
  for (const row of roots) add(row, []);
  // Folders edited by hand could name each other as parents.
  for (const row of rows) add(row, []);
  return lines;
}

/** Null: it belongs to none. */
function groupOf(row: RunRow, grouping: Grouping): string | null {
  switch (grouping) {
    case 'none':
      return null;
    case 'study':
      return row.study?.name ?? null;
    case 'arm':
      return row.study === null ? null : `${row.study.name} · ${row.study.arm}`;
    case 'seed':
      return String(row.seed);
    case 'experiment':
      return row.experiment;
  }
}

export function arranged(rows: readonly RunRow[], view: View): Line[] {
  const chosen = sorted(filtered(rows, view), view);
  if (view.group === 'none') return withBranches(chosen);
  const groups = new Map<string | null, RunRow[]>();
  for (const row of chosen) {
    const name = groupOf(row, view.group);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const names = [...groups.keys()].sort((a, b) => (a === null ? 1 : b === null ? -1 : byText(a, b)));
  return names.flatMap((name): Line[] => {
    const own = groups.get(name) ?? [];
    return [{ kind: 'group', name: name ?? '', rows: own }, ...withBranches(own)];
  });
}
