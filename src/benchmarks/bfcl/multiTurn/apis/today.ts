import type { CalendarDay } from '../api.ts';

/** The machine's own day, on which the ages of travellers are counted. */
export function today(): CalendarDay {
  const now = new Date();
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
}
