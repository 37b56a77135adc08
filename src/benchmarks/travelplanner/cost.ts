import type { Database } from './database.ts';
import { placeOf, plain } from './placeText.ts';
import { meals, type PlanDay } from './planDay.ts';
import { Stopped } from './stopped.ts';
import { flightNumber, isFlight, journeyOfDay, roadKind } from './transport.ts';

/** People in one car. */
const seats = { 'self-driving': 5, taxi: 4 } as const;

/** A plan's total cost for all people, in dollars. @throws Stopped where the official program would stop */
export function totalCost(people: number, days: readonly PlanDay[], database: Database): number {
  let total = 0;
  for (const day of days) {
    const transport = day.needed('transportation');
    if (transport !== null) total += transportCost(transport, day, people, database);
    for (const meal of meals) {
      const text = day.needed(meal);
      if (text === null) continue;
      const { name, city } = placeOf(text);
      total += (database.restaurants.first(name, city)?.averageCost ?? 0) * people;
    }
    const text = day.needed('accommodation');
    if (text === null) continue;
    const { name, city } = placeOf(text);
    const accommodation = database.accommodations.first(name, city);
    if (accommodation !== undefined) {
      total += accommodation.price * Math.ceil(people / accommodation.maximumOccupancy);
    }
  }
  return total;
}

/** A flight counts by its number alone, wherever it goes. */
function transportCost(text: string, day: PlanDay, people: number, { flights, roads }: Database): number {
  const journey = journeyOfDay(text, day);
  if (journey === null) return 0;
  if (isFlight(text)) return (flights.get(flightNumber(text, day.number))?.[0]?.price ?? 0) * people;
  const kind = roadKind(text);
  if (kind === null) return 0;
  const cost = roads.cost(plain(journey.from), plain(journey.to), kind);
  if (cost === null) throw new Stopped(`there is no road for day ${day.number}`);
  return cost * Math.ceil(people / seats[kind]);
}
