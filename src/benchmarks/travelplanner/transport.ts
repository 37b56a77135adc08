/** Reads a transportation entry. */
import { journeyOf, type Journey } from './placeText.ts';
import type { PlanDay } from './planDay.ts';
import { Stopped } from './stopped.ts';

export const isFlight = (text: string): boolean => text.toLowerCase().includes('flight number');

/** How it goes by road; null for flights and what else there may be. */
export function roadKind(text: string): 'self-driving' | 'taxi' | null {
  const lower = text.toLowerCase();
  if (lower.includes('self-driving')) return 'self-driving';
  return lower.includes('taxi') ? 'taxi' : null;
}

/** @throws Stopped when the words before it are written in another case */
export function flightNumber(text: string, day: number): string {
  const after = text.split('Flight Number: ')[1];
  if (after === undefined) throw new Stopped(`the transportation of day ${day} has no "Flight Number: "`);
  return after.split(',')[0] ?? '';
}

/** From where to where: as the entry says, else as the day's cities say. */
export const journeyOfDay = (text: string, day: PlanDay): Journey | null => journeyOf(text) ?? journeyOf(day.city);
