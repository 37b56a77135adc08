import type { SuccessRate } from '../../shared/journal/scores.ts';
import { style } from '../text/style.ts';
import { Styled, styled } from '../text/styled.ts';

type Cell = 'outside' | 'band' | 'interval' | 'point';
const glyphs: Record<Cell, string> = { outside: '·', band: '─', interval: '━', point: '●' };

/**
 * p̂ with its interval against the band, on a line from 0 to 1: `│···──━━●━━──···│`. Dots lie outside the band, thin
 * strokes inside it; the interval is drawn heavy, p̂ as a point.
 */
export function intervalStrip(
  successRate: SuccessRate | null,
  { alpha, kMin }: { alpha: number; kMin: number },
  width: number,
): Styled {
  const cellOf = (p: number): number => Math.min(width - 1, Math.max(0, Math.floor(p * width)));
  const [bandStart, bandEnd] = [cellOf(alpha - kMin), cellOf(alpha + kMin - 1e-9)];
  const { p = null, low = 0, high = 0 } = successRate ?? {};
  const kinds = Array.from({ length: width }, (_, cell): Cell => {
    if (p !== null && cell === cellOf(p)) return 'point';
    if (p !== null && cell >= cellOf(low) && cell <= cellOf(high)) return 'interval';
    return cell >= bandStart && cell <= bandEnd ? 'band' : 'outside';
  });
  const inside = p !== null && Math.abs(p - alpha) <= kMin + 1e-9;
  const measured = inside ? style.good : style.bad;
  const colours: Record<Cell, (text: string) => Styled> = {
    outside: style.dim,
    band: style.accent,
    interval: measured,
    point: measured,
  };
  return styled`│${Styled.joined(runs(kinds).map(({ kind, count }) => colours[kind](glyphs[kind].repeat(count))))}│`;
}

/** Neighbours of one kind: coloured together, a line is a fraction as long. */
function runs(kinds: readonly Cell[]): { kind: Cell; count: number }[] {
  const found: { kind: Cell; count: number }[] = [];
  for (const kind of kinds) {
    const last = found.at(-1);
    if (last?.kind === kind) last.count += 1;
    else found.push({ kind, count: 1 });
  }
  return found;
}
