/** Numbers for people, in fixed forms independent of the machine's locale: output is compared and searched. */
import type { SuccessRate } from '../../shared/journal/scores.ts';

/** `0.47`; `–` where nothing was measured. */
export const rate = (p: number | null): string => (p === null ? '–' : p.toFixed(2));

/** `p̂ 0.47 [0.43, 0.51]`: a rate always has its interval. */
export const measured = ({ p, low, high }: SuccessRate): string =>
  p === null ? 'p̂ not measured' : `p̂ ${rate(p)} [${rate(low)}, ${rate(high)}]`;

/** `0.43–0.51`. */
export const interval = ({ p, low, high }: SuccessRate): string => (p === null ? '–' : `${rate(low)}–${rate(high)}`);

/** `42.5 %`. */
export const percent = (share: number | null): string => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);

/** `1,240`. */
export const count = (value: number): string =>
  Math.round(value)
    .toFixed(0)
    .replace(/\B(?=(\d{3})+$)/g, ',');

/** Three figures, for numbers whose size is not known: `0.0123`, `8.1`, `512`. */
export function figures(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  // Below this it is rounding, not a measure.
  if (size < 1e-6) return '0';
  if (size >= 100) return value.toFixed(0);
  if (size >= 1) return value.toFixed(1);
  return (size < 0.0005 ? value.toExponential(0) : value.toFixed(3)).replaceAll('-', '−');
}

/** `2.5 s`, `1 min 40 s`, `3 h 05 min`. */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `1 family`, `9 families`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** `2026-11-21 12:38` in the given offset from UTC, minutes. */
export function moment(iso: string, offsetMinutes: number): string {
  const local = new Date(Date.parse(iso) - offsetMinutes * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
