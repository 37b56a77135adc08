/** A success rate's position relative to the band, in words and by shape, never by colour alone. Pure. */
import * as l10n from '@vscode/l10n';
import { symbolCircle, symbolTriangle, type SymbolType } from 'd3';
import { inBand } from '../../src/engine/math/curriculum.ts';

export type Verdict = 'too hard' | 'in band' | 'too easy';

export const verdicts = ['too hard', 'in band', 'too easy'] as const satisfies readonly Verdict[];

export function verdictOf(p: number, band: { alpha: number; kMin: number }): Verdict {
  if (inBand(p, band)) return 'in band';
  return p < band.alpha ? 'too hard' : 'too easy';
}

export interface VerdictShape {
  /** The same shape as a character, for text. */
  character: string;
  type: SymbolType;
  /** Degrees. */
  turn: number;
}

export const verdictShapes: Record<Verdict, VerdictShape> = {
  'too hard': { character: '▽', type: symbolTriangle, turn: 180 },
  'in band': { character: '●', type: symbolCircle, turn: 0 },
  'too easy': { character: '△', type: symbolTriangle, turn: 0 },
};

/** Attempts in order: solved ●, not solved ○, not judged ×. */
export function attemptMarks(attempts: string): string {
  return Array.from(attempts, (outcome) => (outcome === '1' ? '●' : outcome === '0' ? '○' : '×')).join('');
}

/** As tables and tooltips say it. */
export function verdictWord(verdict: Verdict): string {
  const words: Record<Verdict, string> = {
    'too hard': l10n.t('too hard'),
    'in band': l10n.t('in band'),
    'too easy': l10n.t('too easy'),
  };
  return words[verdict];
}
