/** The result of a curriculum file: one reward a family, or one a task. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { CurriculumFamily } from './given.ts';
import { largestReward } from './given.ts';

/** A family's, or its tasks' in order; null where the environment is to learn nothing. */
export type FamilyReward = number | null | readonly (number | null)[];

type Sized = Pick<CurriculumFamily, 'id'> & { tasks: readonly { id: string }[] };

const untold = z.strictObject({ not: z.string() });
const nested = z.array(z.unknown());
const number = z.number();

/** Rewards by task, or why they are none, as a clause. */
export function readRewards(
  value: unknown,
  families: readonly Sized[],
): { rewards: ReadonlyMap<string, number>; byFamily: FamilyReward[] } | { fault: string } {
  const list = nested.safeParse(value);
  if (!list.success)
    return { fault: l10n.t('it gave {0}; it must give a list with one reward a family', toldKind(value)) };
  if (list.data.length !== families.length)
    return {
      fault: l10n.t(
        'it gave {0} rewards for {1} families; it must give one a family',
        list.data.length,
        families.length,
      ),
    };
  const rewards = new Map<string, number>();
  const byFamily: FamilyReward[] = [];
  for (const [i, family] of families.entries()) {
    const own = nested.safeParse(list.data[i]);
    const given: readonly unknown[] = own.success ? own.data : family.tasks.map(() => list.data[i]);
    if (given.length !== family.tasks.length) {
      const words = l10n.t('{0} rewards for the {1} tasks of family {2}', given.length, family.tasks.length, family.id);
      return { fault: l10n.t('it gave {0}; a list within the list has one reward a task', words) };
    }
    const read: (number | null)[] = [];
    for (const [j, { id }] of family.tasks.entries()) {
      const one = given[j];
      const fault = one === null ? null : faultOf(one);
      if (fault !== null) {
        const of = own.success ? l10n.t('task {0}', id) : l10n.t('family {0}', family.id);
        return {
          fault: l10n.t(
            'it gave {0} for {1}; a reward is a number from −{2} to {2}, or null where it is unknown',
            fault,
            of,
            largestReward,
          ),
        };
      }
      const reward = one === null ? null : number.parse(one);
      if (reward !== null) rewards.set(id, reward);
      read.push(reward);
    }
    byFamily.push(own.success ? read : (read[0] ?? null));
  }
  return { rewards, byFamily };
}

function faultOf(value: unknown): string | null {
  const read = number.safeParse(value);
  if (!read.success) return toldKind(value);
  return Math.abs(read.data) > largestReward ? String(read.data) : null;
}

/** A value that is none of what was expected. */
function toldKind(value: unknown): string {
  const not = untold.safeParse(value);
  if (not.success) return not.data.not;
  if (value === null) return 'null';
  return Array.isArray(value)
    ? l10n.t('a list')
    : typeof value === 'object'
      ? l10n.t('an object')
      : `a ${typeof value}`;
}
