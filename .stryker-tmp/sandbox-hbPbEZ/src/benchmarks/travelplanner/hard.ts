import type { Accommodation, Database } from './database.ts';
import { totalCost } from './cost.ts';
import { broken, holds, unset, type Outcome } from './outcome.ts';
import { placeOf } from './placeText.ts';
import { meals, type PlanDay } from './planDay.ts';
import type { Query } from './query.ts';
import { Stopped } from './stopped.ts';

/** The five hard constraints under the official program's names, and what the plan costs. */
export function judgeHard(query: Query, days: readonly PlanDay[], database: Database) {
  const cuisine = cuisineOutcome(query, days, database);
  const roomRule = roomRuleOutcome(query, days, database);
  const transportation = transportationOutcome(query, days);
  const roomType = roomTypeOutcome(query, days, database);
  const cost = totalCost(query.people_number, days, database);
  return {
    constraints: {
      valid_cuisine: cuisine,
      valid_room_rule: roomRule,
      valid_transportation: transportation,
      valid_room_type: roomType,
      valid_cost: [cost <= query.budget, null] satisfies Outcome,
    },
    cost,
  };
}

export type Hard = ReturnType<typeof judgeHard>['constraints'];

/** Every cuisine is had somewhere. A meal in the home city ends the day. */
function cuisineOutcome(
  { org, local_constraint: { cuisine } }: Query,
  days: readonly PlanDay[],
  database: Database,
): Outcome {
  if (cuisine === null || cuisine.length === 0) return unset;
  const had = new Set<string>();
  for (const day of days) {
    for (const meal of meals) {
      const text = day.needed(meal);
      if (text === null) continue;
      const { name, city } = placeOf(text);
      if (city === org) break;
      const served = database.restaurants.first(name, city)?.cuisines ?? '';
      for (const wanted of cuisine) if (served.includes(wanted)) had.add(wanted);
    }
  }
  if (had.size === cuisine.length) return holds;
  const lacking = cuisine.find((wanted) => !had.has(wanted));
  if (lacking === undefined) throw new Stopped('a cuisine is asked for twice');
  return broken(`The cuisine ${lacking} is not satisfied.`);
}

const houseRules = new Set(['smoking', 'parties', 'children under 10', 'visitors', 'pets']);

function roomRuleOutcome({ local_constraint }: Query, days: readonly PlanDay[], database: Database): Outcome {
  const rule = local_constraint['house rule'];
  if (rule === null) return unset;
  const forbids =
    houseRules.has(rule) && accommodationsOf(days, database).some((one) => one.houseRules.includes(`No ${rule}`));
  return forbids ? broken(`The house rule should be ${rule}.`) : holds;
}

function roomTypeOutcome({ local_constraint }: Query, days: readonly PlanDay[], database: Database): Outcome {
  const wanted = local_constraint['room type'];
  if (wanted === null) return unset;
  const fits = accommodationsOf(days, database).every(({ roomType }) => isOfType(wanted, roomType));
  return fits ? holds : broken(`The room type should be ${wanted}.`);
}

function isOfType(wanted: string, roomType: string): boolean {
  if (wanted === 'not shared room') return roomType !== 'Shared room';
  if (wanted === 'shared room') return roomType === 'Shared room';
  if (wanted === 'private room') return roomType === 'Private room';
  if (wanted === 'entire room') return roomType === 'Entire home/apt';
  return true;
}

/** Of each night, as far as the database knows them. */
const accommodationsOf = (days: readonly PlanDay[], { accommodations }: Database): Accommodation[] =>
  days.flatMap((day) => {
    const text = day.needed('accommodation');
    if (text === null) return [];
    const { name, city } = placeOf(text);
    return accommodations.first(name, city) ?? [];
  });

function transportationOutcome({ local_constraint }: Query, days: readonly PlanDay[]): Outcome {
  const { transportation: rule } = local_constraint;
  if (rule === null) return unset;
  const word = rule === 'no flight' ? 'Flight' : rule === 'no self-driving' ? 'Self-driving' : null;
  const uses = word !== null && days.some((day) => day.needed('transportation')?.includes(word) ?? false);
  return uses ? broken(`The transportation should not be ${rule}.`) : holds;
}
