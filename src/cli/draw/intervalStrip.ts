import type { SuccessRate } from '../../shared/journal/events.ts';
import type { Style } from '../text/style.ts';

/**
 * p̂ with its interval against the band, on a line from 0 to 1: `│···──━━●━━──···│`. Dots lie outside the band, thin
 * strokes inside it; the interval is heavy, p̂ the point.
 */
export function intervalStrip(
  successRate: SuccessRate | null,
  { alpha, kMin }: { alpha: number; kMin: number },
  width: number,
  style: Style,
): string {
  const cellOf = (p: number): number => Math.min(width - 1, Math.max(0, Math.floor(p * width)));
  const [bandStart, bandEnd] = [cellOf(alpha - kMin), cellOf(alpha + kMin - 1e-9)];
  const p = successRate?.p ?? null;
  const point = p === null ? -1 : cellOf(p);
  const inside = p !== null && Math.abs(p - alpha) <= kMin + 1e-9;
  let line = '';
  for (let cell = 0; cell < width; cell++) {
    const banded = cell >= bandStart && cell <= bandEnd;
    const held =
      successRate !== null && p !== null && cell >= cellOf(successRate.low) && cell <= cellOf(successRate.high);
    if (cell === point) line += inside ? style.good('●') : style.bad('●');
    else if (held) line += inside ? style.good('━') : style.bad('━');
    else line += banded ? style.accent('─') : style.dim('·');
  }
  return `│${line}│`;
}
