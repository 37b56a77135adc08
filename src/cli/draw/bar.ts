import { style } from '../text/style.ts';
import { Styled } from '../text/styled.ts';

/** A bar of `width` cells, filled to a share of 0…1 in half cells. */
export function bar(share: number, width: number): Styled {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2);
  const full = Math.floor(halves / 2);
  const half = halves % 2 === 1;
  const rest = width - full - (half ? 1 : 0);
  return Styled.joined([style.accent('━'.repeat(full) + (half ? '╸' : '')), style.dim('─'.repeat(rest))]);
}
