import type { CalendarDay, Surroundings } from './api.ts';
import type { LongContext } from './apis/longContext.ts';
import { copyOf } from './scenario.ts';

/** Of one conversation, as it begins. @param today on which ages are counted */
export const surroundingsOn = (today: CalendarDay, longContext: LongContext | null): Surroundings => ({
  today,
  defaults: { tags: [], mentions: [] },
  // Both sides pay with the same added cards, as they do in the official program.
  longContext: longContext === null ? null : { ...longContext, cards: copyOf(longContext.cards) },
});
