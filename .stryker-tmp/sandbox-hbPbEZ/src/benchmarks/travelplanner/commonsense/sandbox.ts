import type { Database, Places } from '../database.ts';
import { flightNumber, isFlight, journeyOfDay, roadKind } from '../transport.ts';
import { broken, holds, type Outcome } from '../outcome.ts';
import { placeOf, plain } from '../placeText.ts';
import { meals, type PlanDay } from '../planDay.ts';
import { Stopped } from '../stopped.ts';

/** Everything in the plan exists. */
export function withinSandbox(days: readonly PlanDay[], database: Database): Outcome {
  for (const day of days) {
    const what = inventedEntry(day, database);
    if (what !== null) return broken(`The ${what} in day ${day.number} is invalid in the sandbox.`);
  }
  return holds;
}

/** The first entry that the database does not know. */
function inventedEntry(day: PlanDay, database: Database): string | null {
  const transport = day.needed('transportation');
  const invented = transport === null ? null : inventedTransport(transport, day, database);
  if (invented !== null) return invented;
  for (const meal of meals) {
    const text = day.filled(meal);
    if (text !== null && !isKnown(text, database.restaurants)) return meal;
  }
  const attraction = day.attractions().find((text) => !isKnown(text, database.attractions));
  if (attraction !== undefined) return `attraction ${attraction}`;
  const accommodation = day.filled('accommodation');
  return accommodation === null || isKnown(accommodation, database.accommodations) ? null : 'accommodation';
}

function isKnown(text: string, places: Places<{ name: string; city: string }>): boolean {
  const { name, city } = placeOf(text);
  return places.first(name, city) !== undefined;
}

function inventedTransport(text: string, day: PlanDay, { flights, roads }: Database): string | null {
  const journey = journeyOfDay(text, day);
  if (isFlight(text)) {
    if (journey === null) throw new Stopped(`the flight of day ${day.number} says no "from A to B"`);
    const [from, to] = [plain(journey.from), plain(journey.to)];
    const known = flights.get(flightNumber(text, day.number)) ?? [];
    return known.some(({ origin, destination }) => origin === from && destination === to) ? null : 'flight number';
  }
  const kind = roadKind(text);
  if (kind === null) return null;
  const cost = journey === null ? null : roads.cost(plain(journey.from), plain(journey.to), kind);
  return cost === null ? kind : null;
}
