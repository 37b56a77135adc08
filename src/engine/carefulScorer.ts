import type { Scorer } from './ports.ts';
import { messageOf } from '../shared/messageOf.ts';

/**
 * A checker that throws on a task, for example on an unreadable gold, has not judged the attempt: the fault is recorded
 * and the run continues.
 */
export function careful(scorer: Scorer): Scorer {
  return {
    score(task, trace) {
      try {
        return scorer.score(task, trace);
      } catch (error) {
        const why = messageOf(error);
        return { success: false, reward: 0, valid: false, error: why };
      }
    },
  };
}
