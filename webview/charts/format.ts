/** Numbers as every chart and table writes them. */
import { format } from 'd3';

const grouped = format(',');
const two = format('.2f');
const three = format('.3f');
const short = format('.3~s');
const axis = format('~s');

/** 0.52 */
export const rate = (p: number): string => two(p);

/** 0.48–0.56, with a third digit where two would hide the width. */
export function interval(low: number, high: number): string {
  const digits = high - low < 0.02 ? three : two;
  return `${digits(low)}–${digits(high)}`;
}

/** 17,920 */
export const count = (n: number): string => grouped(Math.round(n));

/** 739 k: for totals without irrelevant digits. */
export function approximate(n: number): string {
  if (n < 10_000) return count(n);
  const text = short(n);
  const unit = text.at(-1) ?? '';
  return /\d/.test(unit) ? text : `${text.slice(0, -1)} ${unit.replace('G', 'bn')}`;
}

/** Three significant digits without trailing zeros; − for negative numbers. */
export function number(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 1000 ? count(value) : size >= 1e-5 ? String(Number(value.toPrecision(3))) : value.toExponential(1);
  return text.replace('-', '−');
}

/** Two significant digits: for means and divergences, whose third digit is noise. */
export function measure(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return number(Math.round(value));
  return number(Number(value.toPrecision(size >= 10 ? 3 : 2)));
}

/** A divergence: estimates below 0.00005 either way are noise around 0. */
export const nats = (value: number): string => (Math.abs(value) < 5e-5 ? '0' : measure(value));

/** 5 k: for axes, where every tick should be written alike. */
export const compact = (value: number): string =>
  axis(value)
    .replace(/([kMG])$/, ' $1')
    .replace('G', 'bn');

/** 1 h 04 min, 2 min 44 s, 3.2 s */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${seconds.toFixed(0)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, '0')} min`;
}

/** `86 %`; near either end as many digits as it takes not to read 0 or 100: `0.04 %`, `99.8 %`. */
export function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 1) return `${Number(value.toPrecision(2))} %`;
  return `${value > 99.5 && value < 100 ? Math.min(99.9, Number(value.toFixed(1))) : value.toFixed(0)} %`;
}

/** +8.5 */
export function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

/** 1 epoch, 2 epochs */
export const plural = (n: number, word: string, many = `${word}s`): string => `${count(n)} ${n === 1 ? word : many}`;
