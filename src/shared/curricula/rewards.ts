/** The result of a curriculum file: one reward a family, or one a task. */
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
  if (!list.success) return { fault: `it gave ${toldKind(value)}; it must give a list with one reward a family` };
  if (list.data.length !== families.length)
    return { fault: `it gave ${list.data.length} rewards for ${families.length} families; it must give one a family` };
  const rewards = new Map<string, number>();
  const byFamily: FamilyReward[] = [];
  for (const [i, family] of families.entries()) {
    const own = nested.safeParse(list.data[i]);
    const given: readonly unknown[] = own.success ? own.data : family.tasks.map(() => list.data[i]);
    if (given.length !== family.tasks.length) {
      const words = `${given.length} rewards for the ${family.tasks.length} tasks of family ${family.id}`;
      return { fault: `it gave ${words}; a list within the list has one reward a task` };
    }
    const read: (number | null)[] = [];
    for (const [j, { id }] of family.tasks.entries()) {
      const one = given[j];
      const fault = one === null ? null : faultOf(one);
      if (fault !== null) {
        const of = own.success ? `task ${id}` : `family ${family.id}`;
        return {
          fault: `it gave ${fault} for ${of}; a reward is a number from −${largestReward} to ${largestReward}, or null where it is unknown`,
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
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
