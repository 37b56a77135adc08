/** Texts made alike before they are compared. */
import * as l10n from '@vscode/l10n';
import { normalise } from '../bamboogle/normalise.ts';
import { Unfit } from './rule.ts';

export type Compare = 'exact' | 'trimmed' | 'folded' | 'squad';

/** A text as it is compared. */
export function normalised(text: string, compare: Compare): string {
  switch (compare) {
    case 'exact':
      return text;
    case 'trimmed':
      return text.trim();
    case 'folded':
      return text.trim().replace(/\s+/g, ' ').toLowerCase();
    case 'squad':
      return normalise(text);
  }
}

/** A gold as it is compared. @throws Unfit for one that nothing is left of: it would stand in every answer */
export function comparable(gold: string, compare: Compare): string {
  const text = normalised(gold, compare);
  if (text === '') throw nothingLeft(gold);
  return text;
}

export const nothingLeft = (gold: string): Unfit =>
  new Unfit(l10n.t('of the gold {0} nothing is left to compare', quoted(gold)));

/** A text short enough for a sentence about it. */
export const quoted = (text: string): string => `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
