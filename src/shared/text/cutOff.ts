import { count, plural } from './figures/numbers.ts';

/** `1 of 18 attempts was cut off at its length`: for English texts. @param of null where they were not counted */
export function cutOffClause(truncated: number, of: number | null = null): string {
  const attempts = of === null ? plural(truncated, 'attempt') : `${count(truncated)} of ${plural(of, 'attempt')}`;
  return `${attempts} ${truncated === 1 ? 'was cut off at its' : 'were cut off at their'} length`;
}
