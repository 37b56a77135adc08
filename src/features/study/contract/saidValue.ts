import { count, fixed } from '../../../shared/text/figures/numbers.ts';
import type { MeasureHead } from './page.ts';

/** A value of a measure, as prose and tables say it: shares in percent. */
export const saidValue = (value: number, { unit }: MeasureHead): string =>
  unit === 'share' ? fixed(100 * value, 1) : unit === 'count' ? count(value) : fixed(value, 2);
