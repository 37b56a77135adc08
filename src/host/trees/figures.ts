/** Numbers as the trees and documents write them: the same forms as the command line and the charts. */
import type { SuccessRate } from '../../shared/journal/scores.ts';

/** `0.48`; `–` where nothing was measured. */
export const rate = (p: number | null): string => (p === null ? '–' : p.toFixed(2));

/** `p̂ 0.48 [0.45, 0.51]`: a rate always has its interval; `p̂ –` without attempts. */
export const measured = ({ p, low, high }: SuccessRate): string =>
  p === null ? 'p̂ –' : `p̂ ${rate(p)} [${rate(low)}, ${rate(high)}]`;

/** `86 %`; near either end as many digits as it takes not to read 0 or 100: `0.04 %`, `99.8 %`. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 1) return `${Number(value.toPrecision(2))} %`;
  return `${value > 99.5 && value < 100 ? Math.min(99.9, Number(value.toFixed(1))) : value.toFixed(0)} %`;
}

/** `17,920` */
export const count = (value: number): string =>
  Math.round(value)
    .toFixed(0)
    .replace(/\B(?=(\d{3})+$)/g, ',');

/** Three figures, for numbers whose size is not known: `0.0123`, `8.1`, `512`. */
export function figures(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return count(value).replace('-', '−');
  if (size !== 0 && size < 1e-3) return value.toExponential(1).replaceAll('-', '−');
  return String(Number(value.toPrecision(3))).replace('-', '−');
}
