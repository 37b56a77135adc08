/** What the attempts at one task of a benchmark come to. */
import type { Trace } from '../../shared/records/trace.ts';

export interface Outcome {
  task: string;
  category: string;
  /** n, attempts that could be judged. */
  attempts: number;
  /** c, of these. */
  successes: number;
  /** Sums over these attempts; what could not be read adds nothing. */
  parts: Readonly<Record<string, number>>;
  /** Attempts at which the checker itself failed: neither right nor wrong. */
  errors: number;
}

/** In the order in which tasks first occur; of attempts that stand there twice, the first counts. */
export function outcomesOf(traces: readonly Pick<Trace, 'id' | 'task' | 'family' | 'verdict'>[]): Outcome[] {
  const outcomes = new Map<string, Outcome>();
  const seen = new Set<string>();
  for (const { id, task, family, verdict } of traces) {
    if (seen.has(id)) continue;
    seen.add(id);
    const none: Outcome = { task, category: family, attempts: 0, successes: 0, parts: {}, errors: 0 };
    const before = outcomes.get(task) ?? none;
    if (verdict.error !== undefined) {
      outcomes.set(task, { ...before, errors: before.errors + 1 });
      continue;
    }
    const parts = { ...before.parts };
    for (const [name, value] of Object.entries(verdict.parts ?? {})) parts[name] = (parts[name] ?? 0) + value;
    const successes = before.successes + Number(verdict.success);
    outcomes.set(task, { ...before, attempts: before.attempts + 1, successes, parts });
  }
  return [...outcomes.values()];
}
