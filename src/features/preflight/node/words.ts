/** Numbers in a check's sentences. */
import * as l10n from '@vscode/l10n';
import { count, fixed } from '../../../shared/text/figures/numbers.ts';

/** `420`, `12,000`, `1.2 million`, `3.4 billion`: for estimates, without irrelevant digits. */
export function about(value: number): string {
  if (value < 1000) return count(value);
  if (value < 999_500) return count(Number(value.toPrecision(2)));
  const size = value < 999_500_000 ? value / 1e6 : value / 1e9;
  const figure = size < 10 ? fixed(size, 1) : count(Number(size.toPrecision(2)));
  return value < 999_500_000 ? l10n.t('{0} million', figure) : l10n.t('{0} billion', figure);
}

/** `1.9 MB`. */
export function bytes(value: number): string {
  const units = [l10n.t('bytes'), 'kB', 'MB', 'GB', 'TB'];
  let [size, unit] = [value, 0];
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 9.95 ? 0 : 1;
  return `${fixed(size, digits)} ${units[unit] ?? ''}`;
}

/** `1 epoch`, `1,200 epochs`. */
export const epochsText = (value: number): string =>
  value === 1 ? l10n.t('1 epoch') : l10n.t('{0} epochs', count(value));
