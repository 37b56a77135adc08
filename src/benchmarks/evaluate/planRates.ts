/** TravelPlanner's six rates, and its tables by level and days: what its official program prints beside the rates. */
import type { ScoreDetail, ShareOf } from './scoreDetail.ts';
import type { Outcome } from './outcome.ts';

const commonsense = {
  is_valid_information_in_current_city: 'Within Current City',
  is_valid_information_in_sandbox: 'Within Sandbox',
  is_reasonable_visiting_city: 'Reasonable City Route',
  is_valid_restaurants: 'Diverse Restaurants',
  is_valid_transportation: 'Non-conf. Transportation',
  is_valid_attractions: 'Diverse Attractions',
  is_valid_accommodation: 'Minimum Nights Stay',
  is_not_absent: 'Complete Information',
} as const;

const hard = {
  valid_cost: 'Budget',
  valid_room_rule: 'Room Rule',
  valid_cuisine: 'Cuisine',
  valid_room_type: 'Room Type',
  valid_transportation: 'Transportation',
} as const;

const commonsenseNames = Object.entries(commonsense);

/** Of the six rates, in their order. */
const shortNames = ['delivered', 'commonsense micro', 'commonsense macro', 'hard micro', 'hard macro', 'final'];

/** In the official order; plans that were not made count as plans that keep nothing. */
export function planRates(outcomes: readonly Outcome[]): (ShareOf & { name: string })[] {
  const plans = sum(outcomes, ({ asked }) => asked);
  const part = (name: string): number => sum(outcomes, ({ parts }) => parts[name] ?? 0);
  const kept = { commonsense: part('commonsenseKept'), hard: part('hardKept') };
  return [
    { name: 'Delivery Rate', count: part('delivered'), of: plans },
    { name: 'Commonsense Constraint Micro Pass Rate', count: kept.commonsense, of: commonsenseNames.length * plans },
    { name: 'Commonsense Constraint Macro Pass Rate', count: part('commonsenseAll'), of: plans },
    { name: 'Hard Constraint Micro Pass Rate', count: kept.hard, of: sum(outcomes, hardSet) },
    { name: 'Hard Constraint Macro Pass Rate', count: part('hardAll'), of: plans },
    { name: 'Final Pass Rate', count: sum(outcomes, ({ successes }) => successes), of: plans },
  ];
}

/** Hard constraints that the query sets, once an attempt. Where the query is not told, what was judged tells. */
function hardSet({ asked, attempts, parts, plan }: Outcome): number {
  if (plan !== undefined) return asked * plan.hard.length;
  return attempts === 0 ? 0 : (asked * (parts['hardSet'] ?? 0)) / attempts;
}

const levels = ['easy', 'medium', 'hard'];
const days = [3, 5, 7];

/** The rates, and how often each constraint is kept: by level, and within it by days. None without queries. */
export function planDetails(outcomes: readonly Outcome[]): ScoreDetail[] {
  const known = outcomes.filter(({ plan }) => plan !== undefined);
  const groups = levels.flatMap((level) => {
    const own = known.filter(({ category }) => category === level);
    const byDays = days.map((n) => ({
      name: `${level}, ${n} days`,
      own: own.filter(({ plan }) => plan?.days === n),
    }));
    return [{ name: level, own }, ...byDays].filter((group) => group.own.length > 0);
  });
  if (groups.length === 0) return [];
  const constraints: [string, string, (outcome: Outcome) => number][] = [
    ...commonsenseNames.map(([key, name]): [string, string, (outcome: Outcome) => number] => [
      key,
      name,
      ({ asked }) => asked,
    ]),
    ...Object.entries(hard).map(([key, name]): [string, string, (outcome: Outcome) => number] => [
      key,
      `${name} (hard)`,
      ({ asked, plan }) => (plan?.hard.some((one) => one === key) === true ? asked : 0),
    ]),
  ];
  return [
    {
      ...{ name: 'rates by level and days', columns: groups.map(({ name }) => name) },
      rows: shortNames.map((name, at) => ({
        name,
        cells: groups.map(({ own }) => shareOf(planRates(own)[at])),
      })),
    },
    {
      ...{ name: 'constraints kept by level and days', columns: groups.map(({ name }) => name) },
      rows: constraints.map(([key, name, of]) => ({
        name,
        cells: groups.map(({ own }) => ({ count: sum(own, ({ checks }) => checks[key] ?? 0), of: sum(own, of) })),
      })),
    },
  ];
}

const shareOf = (share: ShareOf | undefined): ShareOf => ({ count: share?.count ?? 0, of: share?.of ?? 0 });

const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number =>
  outcomes.reduce((all, outcome) => all + of(outcome), 0);
