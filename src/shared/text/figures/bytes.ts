import { count, measure } from './numbers.ts';

/** `3.4 MB`, in powers of 1000. */
export function bytes(value: number): string {
  if (value >= 1e9) return `${measure(value / 1e9)} GB`;
  if (value >= 1e6) return `${measure(value / 1e6)} MB`;
  return value >= 1e3 ? `${measure(value / 1e3)} kB` : `${count(value)} B`;
}
