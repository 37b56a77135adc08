/** Rates with their intervals, for people. */
import type { SuccessRate } from '../../journal/scores.ts';
import { listed } from './notation.ts';
import { fixed, rate } from './numbers.ts';

/** `0.48–0.56`, with a third digit where two would hide the width. */
export function interval(low: number, high: number): string {
  const digits = high - low < 0.02 ? 3 : 2;
  return `${fixed(low, digits)}–${fixed(high, digits)}`;
}

/** `0.43–0.51`; `–` where nothing was measured. */
export const intervalOf = ({ p, low, high }: SuccessRate): string => (p === null ? '–' : interval(low, high));

/** `[−0.05, 0.51]` */
export const ends = (low: string, high: string): string => `[${listed([low, high])}]`;

/** `p̂ 0.48 [0.45, 0.51]`: a rate always has its interval; `p̂ –` without attempts. */
export const measured = ({ p, low, high }: SuccessRate): string =>
  p === null ? 'p̂ –' : `p̂ ${rate(p)} ${ends(rate(low), rate(high))}`;
