/** Evidence of a task's attempts on its edited version: they were made at, and judged by, the original. */
import { isDeepStrictEqual } from 'node:util';
import { groupKind } from '../../../engine/math/advantage.ts';
import type { Scorer } from '../../../engine/ports.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import type { Tally } from './tallies.ts';

/** `reworded`: it asks for something else. `rejudged`: it asks for the same, and takes another answer for right. */
export type Edited = 'as recorded' | 'rejudged' | 'reworded';

export function editedSince(recorded: Task, task: Task): Edited {
  const same = (field: 'prompt' | 'tools' | 'evaluation' | 'gold'): boolean =>
    isDeepStrictEqual(recorded[field], task[field]);
  if (!same('prompt') || !same('tools')) return 'reworded';
  return same('evaluation') && same('gold') ? 'as recorded' : 'rejudged';
}

/** The attempts with verdicts by the edited task; without those that cannot be judged again. */
export function judgedAgain(scorer: Scorer, task: Task, traces: readonly Trace[]): Trace[] {
  return traces.flatMap((trace) => {
    const verdict = scorer.score(task, trace);
    return verdict.error === undefined || trace.verdict.error !== undefined ? [{ ...trace, verdict }] : [];
  });
}

/** A tally of these attempts in place of those that it counted. @param middle last epoch of the earlier half */
export function tallyOf(traces: readonly Trace[], before: Tally, middle: number): Tally {
  const counts = (some: readonly Trace[]) => {
    const judged = some.filter(({ verdict }) => verdict.error === undefined);
    return { attempts: judged.length, successes: judged.filter(({ verdict }) => verdict.success).length };
  };
  const all = counts(traces);
  return {
    attempts: traces.length,
    judged: all.attempts,
    successes: all.successes,
    truncated: traces.filter(({ stopReason }) => stopReason === 'length').length,
    epochs: Math.min(2, new Set(traces.map(({ epoch }) => epoch)).size),
    varied: variedIn(traces),
    halves: {
      earlier: counts(traces.filter(({ epoch }) => epoch <= middle)),
      later: counts(traces.filter(({ epoch }) => epoch > middle)),
    },
    // Of one epoch: the others of its family stay as they were.
    family: {
      attempts: before.family.attempts - before.judged + all.attempts,
      successes: before.family.successes - before.successes + all.successes,
    },
  };
}

/** Whether judged attempts of one epoch differ in reward. */
const variedIn = (traces: readonly Trace[]): boolean =>
  [...Map.groupBy(traces, ({ epoch }) => epoch).values()].some((group) => {
    const judged = group.flatMap(({ verdict }) => (verdict.error === undefined ? verdict : []));
    return groupKind(judged) === 'trained';
  });
