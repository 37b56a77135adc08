/** Figures in an agent’s answer: each with its interval. */
import type { SuccessRate } from '../../../shared/journal/scores.ts';
import { ends } from '../../../shared/text/figures/intervals.ts';
import { fixed, significant } from '../../../shared/text/figures/numbers.ts';
import { signed } from '../../../shared/text/figures/shares.ts';

/** `0.412 [0.380, 0.445]`, of attempts; `–` where nothing was measured. */
export const rateText = (rate: SuccessRate | null): string =>
  rate?.p == null ? '–' : `${fixed(rate.p, 3)} ${ends(fixed(rate.low, 3), fixed(rate.high, 3))} of ${rate.attempts}`;

export const numberText = (value: number | null): string => (value === null ? '–' : significant(value, 4));

/** A difference of shares with its 95 % interval. */
export const differenceText = ({ difference, low, high }: { difference: number; low: number; high: number }): string =>
  `${signed(difference, 3)} ${ends(fixed(low, 3), fixed(high, 3))}`;

const zones = { tooHard: 'too hard', inBand: 'in band', tooEasy: 'too easy' } as const;
export const zoneText = (side: keyof typeof zones): string => zones[side];
