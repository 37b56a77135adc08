import type { Database } from '../database.ts';
import { broken, holds, type Outcome } from '../outcome.ts';
import { plain } from '../placeText.ts';
import type { PlanDay } from '../planDay.ts';
import type { Query } from '../query.ts';

/** A closed round through known cities of the destination, each of them in one go. */
export function cityRoute(
  { org, dest, days: length }: Query,
  days: readonly PlanDay[],
  { stateOf }: Database,
): Outcome {
  const cities: string[] = [];
  for (const day of days) {
    if (!day.isTravel) cities.push(plain(day.city));
    else {
      const { from, to } = day.journey();
      if (day.number === 1 && from !== org) return broken(`The first day's city should be ${org}.`);
      cities.push(from, to);
    }
  }
  if (cities[0] !== cities.at(-1)) return broken('The trip should be a closed circle.');
  if (!isRound(cities)) return broken('The city sequence is invalid.');
  for (const [index, city] of cities.entries()) {
    const state = stateOf.get(city);
    if (state === undefined) return broken(`${city} is not a valid city.`);
    const isBetween = index > 0 && index < cities.length - 1;
    if (isBetween && length > 3 && state !== dest) return broken(`${city} is not in ${dest}.`);
  }
  return holds;
}

/** Three entries or more, in runs; only the first and the last may be of one entry, and no run but the last returns. */
function isRound(cities: readonly string[]): boolean {
  if (cities.length < 3) return false;
  const visited = new Set<string>();
  for (let start = 0; start < cities.length;) {
    const city = cities[start] ?? '';
    if (visited.has(city) && start !== cities.length - 1) return false;
    let end = start;
    while (end < cities.length && cities[end] === city) end += 1;
    const isBetween = start > 0 && start < cities.length - 1;
    if (end - start === 1 && isBetween) return false;
    visited.add(city);
    start = end;
  }
  return true;
}
