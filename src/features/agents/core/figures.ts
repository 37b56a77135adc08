/** Figures in an agent’s answer: each with its interval. */
import type { SuccessRate } from '../../../shared/journal/scores.ts';

const digits = (value: number): string => value.toFixed(3).replace('-', '−');

/** `0.412 [0.380, 0.445]`, of attempts; `–` where nothing was measured. */
export const rateText = (rate: SuccessRate | null): string =>
  rate?.p == null ? '–' : `${digits(rate.p)} [${digits(rate.low)}, ${digits(rate.high)}] of ${rate.attempts}`;

export const numberText = (value: number | null): string =>
  value === null ? '–' : String(Number(value.toPrecision(4)));

/** A difference of shares with its 95 % interval. */
export const differenceText = ({ difference, low, high }: { difference: number; low: number; high: number }): string =>
  `${difference > 0 ? '+' : ''}${digits(difference)} [${digits(low)}, ${digits(high)}]`;

const zones = { tooHard: 'too hard', inBand: 'in band', tooEasy: 'too easy' } as const;
export const zoneText = (side: keyof typeof zones): string => zones[side];
