import { broken, holds, type Outcome } from '../outcome.ts';
import { meals, type PlanDay } from '../planDay.ts';

/** No meal is taken twice under the same text. */
export function diverseRestaurants(days: readonly PlanDay[]): Outcome {
  const seen = new Set<string>();
  for (const day of days) {
    for (const meal of meals) {
      const text = day.filled(meal);
      if (text === null) continue;
      if (seen.has(text)) {
        return broken(`The restaurant in day ${day.number} ${meal}${meal === 'lunch' ? ` ${text}` : ''} is repeated.`);
      }
      seen.add(text);
    }
  }
  return holds;
}

/** No attraction is visited twice under the same text, white space included. */
export function diverseAttractions(days: readonly PlanDay[]): Outcome {
  const seen = new Set<string>();
  for (const day of days) {
    for (const attraction of day.attractions()) {
      if (seen.has(attraction)) return broken(`The attraction '${attraction}' in day ${day.number} is repeated.`);
      seen.add(attraction);
    }
  }
  return holds;
}
