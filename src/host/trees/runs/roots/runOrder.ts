/** How runs are ordered in the tree. */
import type { KnownRun } from '../../../runs/runs.ts';
import { compareIds } from '../familyGroups.ts';

export const runOrders = ['started', 'name', 'state', 'success rate', 'validation'] as const;
export type RunOrder = (typeof runOrders)[number];

/** Runs that need attention first. */
const urgency = ['running', 'paused', 'interrupted', 'failed', 'stopped', 'finished'] as const;

type Listed = Pick<KnownRun, 'head'>;

const newest = (a: Listed, b: Listed): number =>
  b.head.startedAt.localeCompare(a.head.startedAt) || compareIds(b.head.id, a.head.id);

/** Highest first; unmeasured last. */
const highest = (of: (run: Listed) => number | null | undefined) => (a: Listed, b: Listed) =>
  (of(b) ?? -1) - (of(a) ?? -1);

const by: Record<RunOrder, (a: Listed, b: Listed) => number> = {
  started: newest,
  name: (a, b) => compareIds(a.head.name, b.head.name),
  state: (a, b) => urgency.indexOf(a.head.state) - urgency.indexOf(b.head.state),
  'success rate': highest(({ head }) => head.summary?.successRate.p),
  validation: highest(({ head }) => head.summary?.validation?.p),
};

/** Ties are ordered newest first. */
export function orderRuns<T extends Listed>(runs: readonly T[], order: RunOrder): T[] {
  return runs.toSorted((a, b) => by[order](a, b) || newest(a, b));
}
