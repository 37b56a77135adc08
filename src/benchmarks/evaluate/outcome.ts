/** The outcome of the attempts at one task of a benchmark. */
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { defined } from '../../shared/defined.ts';
import { planFacts, type PlanFacts } from '../travelplanner/planFacts.ts';

export interface Outcome {
  task: string;
  category: string;
  /** n, attempts that were asked for: authors count as wrong what was not answered, and what could not be judged. */
  asked: number;
  /** Of these, attempts that were answered and judged. */
  attempts: number;
  /** c, of these. */
  successes: number;
  /** Sums over judged attempts; what could not be read adds nothing. */
  parts: Readonly<Record<string, number>>;
  /** How many judged attempts passed each check, by its name. */
  checks: Readonly<Record<string, number>>;
  /** Attempts at which the checker itself failed. */
  errors: number;
  /** Of a query of TravelPlanner. */
  plan?: PlanFacts;
}

/** A task that was posed, as far as totals ask for it. */
type AskedTask = Pick<Task, 'id' | 'family' | 'evaluation'>;

export interface Asked {
  tasks: readonly AskedTask[];
  /** n, of each task; null where an evaluation has not come to its end: then no more was asked than was answered. */
  attempts: number | null;
}

type Answered = Pick<Trace, 'id' | 'task' | 'family' | 'verdict'>;

/** In the order of the tasks that were asked; of attempts that stand there twice, the first counts. */
export function outcomesOf(traces: readonly Answered[], { tasks, attempts }: Asked): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  for (const task of tasks) outcomes.set(task.id, emptyOutcome(task, attempts ?? 0));
  const seen = new Set<string>();
  for (const { id, task, family, verdict } of traces) {
    if (seen.has(id)) continue;
    seen.add(id);
    const before = outcomes.get(task) ?? emptyOutcome({ id: task, family, evaluation: { kind: '' } }, attempts ?? 0);
    outcomes.set(task, counted(attempts === null ? { ...before, asked: before.asked + 1 } : before, verdict));
  }
  return [...outcomes.values()].filter(({ asked }) => asked > 0);
}

function emptyOutcome({ id, family, evaluation }: AskedTask, asked: number): Outcome {
  const plan = evaluation.kind === 'travelplanner' ? planFacts(evaluation) : null;
  return {
    ...{ task: id, category: family, asked, attempts: 0, successes: 0, parts: {}, checks: {}, errors: 0 },
    ...defined({ plan: plan ?? undefined }),
  };
}

function counted(before: Outcome, { success, parts, checks, error }: Trace['verdict']): Outcome {
  if (error !== undefined) return { ...before, errors: before.errors + 1 };
  return {
    ...before,
    attempts: before.attempts + 1,
    successes: before.successes + Number(success),
    parts: summed(before.parts, parts ?? {}),
    checks: summed(before.checks, checks ?? {}),
  };
}

function summed(
  before: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number | boolean>>,
): Readonly<Record<string, number>> {
  const sums = { ...before };
  for (const [name, value] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + Number(value);
  return sums;
}

/** The same as if only that had been asked which was answered and judged. */
export const answeredOnly = (outcomes: readonly Outcome[]): Outcome[] =>
  outcomes.flatMap((one) => (one.attempts === 0 ? [] : [{ ...one, asked: one.attempts }]));
