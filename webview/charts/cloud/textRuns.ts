/** Text with indices, as a pen sets it. Pure. */
import { pieces } from '../../lib/pieces.ts';

/** Size of an index, and how far below it stands. */
export const lowered = 0.78;
export const drop = 3;

/** Runs of text on the line and of indices (`k_min`) below it. */
export function runsOf(text: string): { text: string; low: boolean }[] {
  return pieces(text).flatMap((piece) => [
    ...(piece.text === '' ? [] : [{ text: piece.text, low: false }]),
    ...(piece.index === null ? [] : [{ text: piece.index, low: true }]),
  ]);
}
