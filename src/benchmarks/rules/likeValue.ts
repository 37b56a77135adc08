/** Whether two JSON values are the same where numbers and texts may differ a little. */
import { normalised, type Compare } from './compare.ts';

/** Permitted differences. */
export interface Likeness {
  /** How far a number may be off. */
  absolute: number;
  /** The same as a share of the gold; the wider of the two counts. */
  relative: number;
  text: Compare;
}

/** Keys in any order, lists in theirs, numbers by value; true is not 1. Values are not nested deeply. */
export function likeValue(given: unknown, gold: unknown, like: Likeness): boolean {
  if (typeof given === 'number' && typeof gold === 'number') return near(given, gold, like);
  if (typeof given === 'string' && typeof gold === 'string')
    return normalised(given, like.text) === normalised(gold, like.text);
  if (typeof given !== 'object' || typeof gold !== 'object' || given === null || gold === null) return given === gold;
  if (Array.isArray(given) !== Array.isArray(gold)) return false;
  const [mine, right] = [new Map<string, unknown>(Object.entries(given)), Object.entries(gold)];
  return (
    mine.size === right.length && right.every(([key, value]) => mine.has(key) && likeValue(mine.get(key), value, like))
  );
}

function near(given: number, gold: number, { absolute, relative }: Likeness): boolean {
  const room = Math.max(absolute, relative * Math.abs(gold));
  // Half a unit in the last place more, as the rule “number” has it.
  return given === gold || (room > 0 && Math.abs(given - gold) <= room + Number.EPSILON * Math.abs(gold));
}
