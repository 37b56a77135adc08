import { broken, holds, type Outcome } from '../outcome.ts';
import { plain } from '../placeText.ts';
import { meals, type Entry, type PlanDay } from '../planDay.ts';
import type { Query } from '../query.ts';

/** The text that agents are instructed to write into days they do not need. */
const filler = "You don't need to fill in the information for this or later days.";

const entries: readonly (readonly [Entry, string])[] = [
  ['transportation', 'Transportation'],
  ['breakfast', 'Breakfast'],
  ['lunch', 'Lunch'],
  ['dinner', 'Dinner'],
  ['attraction', 'Attraction'],
  ['accommodation', 'Accommodation'],
];

/** The plan has as many days and cities as asked for, and says of each day what there is to say. */
export function completeInformation(query: Query, days: readonly PlanDay[]): Outcome {
  if (days.filter((day) => day.city !== filler).length !== query.days) return broken('Invalid Days');
  if (!hasAskedCities(query, days)) return broken('Invalid City Number');
  for (const day of days) {
    const gap = gapOf(day, day.number === query.days);
    if (gap !== null) return broken(gap);
  }
  const filled = days.reduce((sum, day) => sum + day.countFilled(), 0);
  return filled / (6 * query.days) < 0.5 ? broken('The absent information is more than 50%.') : holds;
}

function hasAskedCities({ org, visiting_city_number: asked }: Query, days: readonly PlanDay[]): boolean {
  const cities = new Set<string>();
  for (const day of days) {
    if (!day.isTravel) cities.add(plain(day.city));
    else {
      const { from, to } = day.journey();
      if (day.number === 1 && from !== org) return false;
      cities.add(from).add(to);
    }
  }
  cities.delete(org);
  return cities.size === asked;
}

function gapOf(day: PlanDay, isLast: boolean): string | null {
  for (const [entry, name] of entries) if (!day.has(entry)) return `No ${name} Info.`;
  const { city, number } = day;
  const leaves = city.includes('from ');
  if ((leaves || city.includes('to ')) && day.isBlank('transportation')) {
    return `No transportation in day ${number} is not allowed.`;
  }
  if (!leaves && !city.includes(' to ') && day.isBlank('attraction')) {
    return `No attaction in day ${number} is not allowed.`;
  }
  if (!isLast && day.isBlank('accommodation')) return `No accommodation in day ${number} is not allowed.`;
  if (!leaves && meals.some((meal) => day.isBlank(meal))) return `No meal in day ${number} is not allowed.`;
  return null;
}
