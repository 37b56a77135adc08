/** Figures or failure of an epoch's embedded quality. Apart from its schema: a report's page reads these alone. */
import type { EmbeddedFigures, EmbeddedQuality } from './embeddedQuality.ts';

/** The figures; null where none were asked for, or the server gave none. */
export const embeddedFiguresOf = (quality: { embedded?: EmbeddedQuality | undefined } | null): EmbeddedFigures | null =>
  quality?.embedded === undefined || 'failure' in quality.embedded ? null : quality.embedded;

/** Why there are none; null where there are, or none were asked for. */
export const embeddedFailureOf = (quality: { embedded?: EmbeddedQuality | undefined } | null): string | null =>
  quality?.embedded === undefined || !('failure' in quality.embedded) ? null : quality.embedded.failure;
