import { broken, holds, type Outcome } from '../outcome.ts';
import type { PlanDay } from '../planDay.ts';

/** One's own car goes neither with flights nor with taxis. */
export function transportation(days: readonly PlanDay[]): Outcome {
  if ((days[0]?.needed('transportation') ?? null) === null) {
    return broken('The transportation in day 1 should not be empty.');
  }
  const kinds = new Set(days.map((day) => kindOf(day.filled('transportation') ?? '')));
  const conflicts = kinds.has('self-driving') && (kinds.has('flight') || kinds.has('taxi'));
  return conflicts ? broken('The transportation is conflicting.') : holds;
}

function kindOf(text: string): string {
  const lower = text.toLowerCase();
  return ['taxi', 'self-driving', 'flight'].find((kind) => lower.includes(kind)) ?? '';
}
