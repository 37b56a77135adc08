/** Texts made alike before they are compared. */
import { normalise } from '../bamboogle/normalise.ts';

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

/** A text short enough for a sentence about it. */
export const quoted = (text: string): string => `“${text.length > 60 ? `${text.slice(0, 60)}…` : text}”`;
