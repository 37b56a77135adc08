/** The groups that fell out of a round, for its event, and their cost. */
import { mean } from '../loop.ts';
import { defined } from '../../shared/defined.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Dropped } from '../../shared/journal/dropped.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Group } from '../phases/attempts/attemptPlan.ts';
import { billedFor } from '../spending/billed.ts';
import { tokensOf } from '../phases/attempts/traceTokens.ts';
import { sum } from '../../shared/sum.ts';

interface Outcome {
  counted: readonly Group[];
  dropped: readonly Group[];
  /** G, attempts of a task. */
  group: number;
  /** Attempts were under way when enough groups were complete. */
  isOver: boolean;
  endpoints: Experiment['endpoints'];
  /** Tokens that an answer to a task was expected to have; undefined where nothing is known. */
  expected: (task: Task) => number | undefined;
}

/** Undefined where nothing fell out. */
export function droppedOf({ counted, dropped, group, isOver, endpoints, expected }: Outcome): Dropped | undefined {
  if (dropped.length === 0) return undefined;
  const traces = dropped.flatMap((own) => own.traces);
  const left = dropped.length * group - traces.length;
  const all = [...counted.flatMap((own) => own.traces), ...traces];
  const usual = mean(all.map(tokensOf)) ?? 0;
  return {
    groups: dropped.map(({ task, traces: own }) => ({
      ...{ task: task.id, attempts: own.length },
      ...defined({ expected: rounded(expected(task)) }),
    })),
    attempts: traces.length,
    tokens: sum(traces.map(tokensOf)),
    ...billedFor(endpoints, dropped),
    left,
    likely: isOver ? Math.round(left * usual) : 0,
    ...defined({ expected: bothExpected(counted, dropped, expected) }),
  };
}

function bothExpected(
  counted: readonly Group[],
  dropped: readonly Group[],
  expected: Outcome['expected'],
): Dropped['expected'] {
  const [of, out] = [counted, dropped].map((groups) =>
    rounded(mean(groups.flatMap(({ task }) => expected(task) ?? []))),
  );
  return of === undefined || out === undefined ? undefined : { counted: of, dropped: out };
}

const rounded = (value: number | null | undefined): number | undefined =>
  value == null ? undefined : Math.round(value);
