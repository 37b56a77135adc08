/** Numbers in a check's sentences. */
import * as l10n from '@vscode/l10n';

/** `1,240`. */
export const count = (value: number): string =>
  Math.round(value)
    .toFixed(0)
    .replace(/\B(?=(\d{3})+$)/g, ',');

/** `420`, `12,000`, `1.2 million`, `3.4 billion`: for estimates, without irrelevant digits. */
export function about(value: number): string {
  if (value < 1000) return count(value);
  if (value < 999_500) return count(Number(value.toPrecision(2)));
  const size = value < 999_500_000 ? value / 1e6 : value / 1e9;
  const figure = size < 10 ? size.toFixed(1) : count(Number(size.toPrecision(2)));
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
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`;
}

/** `1 epoch`, `1,200 epochs`. */
export const epochsText = (value: number): string =>
  value === 1 ? l10n.t('1 epoch') : l10n.t('{0} epochs', count(value));

/** `3 h 05 min`, `12 min`, `40 s`: an estimate has no more digits. */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
