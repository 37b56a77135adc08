import type { Database } from '../database.ts';
import { broken, holds, type Outcome } from '../outcome.ts';
import { placeOf } from '../placeText.ts';
import type { PlanDay } from '../planDay.ts';
import { Stopped } from '../stopped.ts';

/** A traveller stays at least as long as the place allows, where its text names one place only. */
export function minimumNights(days: readonly PlanDay[], { accommodations }: Database): Outcome {
  if (days.some((day) => !day.has('accommodation'))) return broken('No Accommodation Info.');
  for (const { text, nights } of stays(days.map((day) => day.raw('accommodation')))) {
    if (text === '-' || text === '') continue;
    if (typeof text !== 'string') throw new Stopped('an accommodation is no text');
    const { name, city } = placeOf(text);
    const [row, ...others] = accommodations.matching(name, city);
    if (row !== undefined && others.length === 0 && nights < row.minimumNights) {
      return broken(`The accommodation ${text} do not obey the minumum nights rule.`);
    }
  }
  return holds;
}

/** Runs of the same text. */
function stays(texts: readonly unknown[]): { text: unknown; nights: number }[] {
  const runs: { text: unknown; nights: number }[] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last !== undefined && last.text === text) last.nights += 1;
    else runs.push({ text, nights: 1 });
  }
  return runs;
}
