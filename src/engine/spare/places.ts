/**
 * Spare groups (`rollouts.spare`): more groups begin than a batch needs, and the first complete ones count. Families stay
 * whole, so that a p̂ is never of the fast half of one; domains, and written beside mixed tasks, keep their shares.
 */
import type { Task } from '../../shared/records/task.ts';

/** Tasks that count together or not at all: a family that p̂ is measured over, or one mixed task. */
export interface Unit {
  tasks: readonly Task[];
  /** Its places are counted apart from those of other kinds. */
  kind: string;
}

/** Tasks of a batch, spare ones among them, and how many of each kind count. */
export interface Places {
  units: readonly Unit[];
  needed: ReadonlyMap<string, number>;
}

interface Tasks {
  calibrated: readonly Task[];
  mixed: readonly Task[];
}

/** How many tasks of each kind some tasks are. */
export const neededOf = (tasks: Tasks): ReadonlyMap<string, number> =>
  unitsOf(tasks).reduce(
    (sum, { kind, tasks: own }) => sum.set(kind, (sum.get(kind) ?? 0) + own.length),
    new Map<string, number>(),
  );

/** In the order of the batch. */
export function unitsOf({ calibrated, mixed }: Tasks): Unit[] {
  const families = [...Map.groupBy(calibrated, ({ family }) => family).values()];
  return [
    ...families.map((tasks) => ({ tasks, kind: kindOf('written', tasks) })),
    ...mixed.map((task) => ({ tasks: [task], kind: kindOf('mixed', [task]) })),
  ];
}

const kindOf = (what: string, [first]: readonly Task[]): string =>
  first?.domain === undefined ? what : `${what} ${first.domain}`;

/** The part-th of `count` about equal parts of what is needed. */
export function partOf(needed: ReadonlyMap<string, number>, part: number, count: number): ReadonlyMap<string, number> {
  const upTo = (all: number, parts: number): number => Math.floor((parts * all) / count);
  return new Map([...needed].map(([kind, all]) => [kind, upTo(all, part + 1) - upTo(all, part)]));
}
