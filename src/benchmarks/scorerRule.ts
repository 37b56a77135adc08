import type { LocalEnvironment, Scorer } from '../engine/ports.ts';

export type Judged = Parameters<Scorer['score']>[0];

/** A scorer that knows before an attempt which tasks it can judge. */
export interface ScorerRule extends Scorer {
  /** The fault of such a task, as a clause; null when attempts at it can be judged. */
  fault(task: Judged): string | null;
  goldAnswer(task: Judged): string | null;
  /** The game or conversation that such a task without fault is; null of what is answered in one turn. */
  episode?(task: Judged): LocalEnvironment | null;
}
