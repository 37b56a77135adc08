import { broken, holds, type Outcome } from '../outcome.ts';
import { plain } from '../placeText.ts';
import { meals, type PlanDay } from '../planDay.ts';
import { Stopped } from '../stopped.ts';

/** Everything of a day is in a city of that day. */
export function withinCurrentCity(days: readonly PlanDay[]): Outcome {
  for (const day of days) {
    const entry = strayEntry(day);
    if (entry !== null) return broken(`The ${entry} in day ${day.number} is invalid city choice.`);
  }
  return holds;
}

/** The first entry that is elsewhere. */
function strayEntry(day: PlanDay): string | null {
  const cities = citiesOf(day);
  const isIn = (text: string): boolean => cities.some((city) => text.includes(city));
  const transportation = day.filled('transportation');
  if (transportation !== null && !cities.every((city) => transportation.includes(city))) return 'transportation';
  for (const meal of meals) {
    const text = day.filled(meal);
    if (text !== null && !isIn(text)) return meal;
  }
  if (!day.attractions().every(isIn)) return 'attraction';
  const accommodation = day.filled('accommodation');
  if (accommodation === null) return null;
  const last = cities.at(-1);
  if (last === undefined) throw new Stopped(`day ${day.number} has no city`);
  return accommodation.includes(last) ? null : 'accommodation';
}

/** Of a day in one place the official program takes that city's text for the list, which makes it one of characters. */
function citiesOf(day: PlanDay): string[] {
  if (!day.isTravel) return Array.from(plain(day.city));
  const { from, to } = day.journey();
  return [from, to];
}
