/** Whether two JSON values are the same where numbers and texts may differ a little. */
import { LongInteger } from '../../shared/longInteger.ts';
import { normalised, type Compare } from './compare.ts';
import { isNear, type Exact, type Tolerance } from './exactNumber.ts';

/** Permitted differences. */
export interface Likeness extends Tolerance {
  text: Compare;
}

/** Keys in any order, lists in theirs, numbers by value; true is not 1. Values are not nested deeply. */
export function likeValue(given: unknown, gold: unknown, like: Likeness): boolean {
  if (isNumber(given) || isNumber(gold)) return isNumber(given) && isNumber(gold) && near(given, gold, like);
  if (typeof given === 'string' && typeof gold === 'string')
    return normalised(given, like.text) === normalised(gold, like.text);
  if (typeof given !== 'object' || typeof gold !== 'object' || given === null || gold === null) return given === gold;
  if (Array.isArray(given) !== Array.isArray(gold)) return false;
  const [mine, right] = [new Map<string, unknown>(Object.entries(given)), Object.entries(gold)];
  return (
    mine.size === right.length && right.every(([key, value]) => mine.has(key) && likeValue(mine.get(key), value, like))
  );
}

const isNumber = (value: unknown): value is number | LongInteger =>
  typeof value === 'number' || value instanceof LongInteger;

function near(given: number | LongInteger, gold: number | LongInteger, like: Likeness): boolean {
  const [mine, right] = [exact(given), exact(gold)];
  // Loose equality compares a bigint and a number by their exact values. Without a tolerance decimals are the same or not.
  return mine == right || ((like.absolute > 0 || like.relative > 0) && isNear(mine, right, like));
}

const exact = (value: number | LongInteger): Exact => (value instanceof LongInteger ? value.exact : value);
