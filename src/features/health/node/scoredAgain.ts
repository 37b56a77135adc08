/** Whether a checker repeats its verdict on the same attempt. */
import type { Scorer } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';

/** Times an attempt is scored again: a checker that changes its mind with probability f shows it with 1 − (1−f)³ − f³. */
const again = 2;

/** A verdict that changed. */
export interface Wavering {
  trace: string;
  /** The one recorded first, then those of scoring it again. */
  verdicts: readonly boolean[];
  /** Scoring it again is consistent: only the recorded verdict differs, as after a change of the scorer. */
  consistent: boolean;
}

/** The first of these attempts at a task as it was recorded whose verdict changes; null where none does. */
export function waveringVerdict(scorer: Scorer, task: Task, traces: Iterable<Trace>): Wavering | null {
  for (const trace of traces) {
    if (trace.verdict.error !== undefined) continue;
    const verdicts = [trace.verdict.success];
    for (let i = 0; i < again; i++) {
      const { error, success } = scorer.score(task, trace);
      if (error === undefined) verdicts.push(success);
    }
    const [, ...later] = verdicts;
    if (new Set(verdicts).size > 1) return { trace: trace.id, verdicts, consistent: new Set(later).size === 1 };
  }
  return null;
}
