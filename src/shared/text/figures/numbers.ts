/** Numbers for people. Negative ones have a minus sign, and none that is rounded to nothing is negative. */
import * as l10n from '@vscode/l10n';
import { inNotation } from './notation.ts';

/** `0.520`: always so many digits after the decimal sign. */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return inNotation(Number(text) === 0 ? text.replace('-', '') : text);
}

/** `0.52`; `–` where nothing was measured. */
export const rate = (p: number | null): string => (p === null ? '–' : fixed(p, 2));

/** `17,920` */
export const count = (value: number): string =>
  inNotation(
    Math.round(value)
      .toFixed(0)
      .replace(/^-0$/, '0')
      .replaceAll(/\B(?=(?:\d{3})+$)/g, ','),
  );

/** At most so many digits that mean something, without trailing zeros: `0.0123`, `8.1`. */
export const significant = (value: number, digits: number): string =>
  inNotation(String(Number(value.toPrecision(digits))));

/** `0.040`: always so many digits that mean something. */
export const precise = (value: number, digits: number): string => inNotation(value.toPrecision(digits));

/** `1e−7`: the power of ten of something small. */
export const magnitude = (value: number): string => inNotation(value.toExponential(0));

/** Three digits that mean something: `0.0123`, `8.1`, `17,920`, `1.2e−6`. */
export function number(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return count(value);
  return size >= 1e-5 || size === 0 ? significant(value, 3) : inNotation(value.toExponential(1));
}

/** Numbers of any size below each other, for which fewer digits suffice: `512`, `8.1`, `−0.012`, `4e−5`. */
export function inColumn(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  // Below this it is rounding, not a measure.
  if (size < 1e-6) return '0';
  if (size < 0.0005) return inNotation(value.toExponential(0));
  return fixed(value, size >= 100 ? 0 : size >= 1 ? 1 : 3);
}

/** Two digits that mean something: for means and divergences, whose third digit is noise. */
export function measure(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return number(Math.round(value));
  return number(Number(value.toPrecision(size >= 10 ? 3 : 2)));
}

/** A divergence: estimates below 0.00005 either way are noise around 0. */
export const nats = (value: number): string => (Math.abs(value) < 5e-5 ? '0' : measure(value));

/** `739 k`: for totals without digits that say nothing. */
export const approximate = (value: number): string => (value < 10_000 ? count(value) : scaled(value, 3));

/** `5 k`: for axes, where every tick should be written alike. */
export const compact = (value: number): string => scaled(value, 6);

function scaled(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  const of = (unit: number): string => significant(rounded / unit, digits);
  if (size >= 1e9) return l10n.t({ message: '{0} bn', args: [of(1e9)], comment: ['thousand millions'] });
  if (size >= 1e6) return `${of(1e6)} M`;
  return size >= 1e3 ? `${of(1e3)} k` : of(1);
}

/** `1 epoch`, `1,200 epochs`: for English texts. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
