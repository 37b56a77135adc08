import type { Scorer } from './ports.ts';

/** A checker that breaks on a task, as on a gold that cannot be read, has not judged the attempt: it says so, and goes on. */
export function careful(scorer: Scorer): Scorer {
  return {
    score(task, trace) {
      try {
        return scorer.score(task, trace);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return { success: false, reward: 0, valid: false, error: why };
      }
    },
  };
}
