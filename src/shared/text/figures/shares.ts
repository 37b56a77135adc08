/** Shares of a whole and differences, for people. */
import { fixed, significant } from './numbers.ts';

/** `86 %`; near either end as many digits as it takes not to read 0 or 100: `0.04 %`, `99.8 %`. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 1) return `${significant(value, 2)} %`;
  return value >= 99.5 && value < 100 ? `${significant(Math.min(99.9, value), 3)} %` : `${fixed(value, 0)} %`;
}

/** `42.5 %`: always with one digit, for shares beside each other; `–` where nothing was measured. */
export const percentToTenth = (share: number | null): string => (share === null ? '–' : `${fixed(100 * share, 1)} %`);

/** `+8.5`; a difference that is rounded to nothing has no sign. */
export function signed(value: number, digits: number): string {
  const text = fixed(Math.abs(value), digits);
  if (!/[1-9]/.test(text)) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** `+8.5`: the difference of two shares in points. */
export const points = (difference: number): string => signed(100 * difference, 1);
