/** Records paid for before this process took up a run, of which no event speaks yet. */
import type { Loop } from '../loop.ts';
import { isBudgeted } from '../phases/attempts/attemptPlan.ts';
import { KeptCompletions } from '../phases/written/keptCompletions.ts';
import { usesOfText, useOfTrace } from './billed.ts';

/** Tells the meter of the records of the epoch under way, and of those that are sampled beside it. */
export async function recall({ meter, state, experiment, ports }: Loop): Promise<void> {
  const { budget, rollouts } = experiment;
  if (budget.cost === null) return;
  const next = state.summaries.length + 1;
  for (let epoch = Math.max(1, next - 1); epoch <= next + rollouts.staleness; epoch++) {
    const open = state.open?.epoch === epoch ? state.open : null;
    if (open?.generated === undefined && epoch >= next) {
      for (const task of await ports.records.tasksOf(epoch)) meter.record('written', epoch, task.id, usesOfText(task));
      await new KeptCompletions({ meter, ports }, epoch).recall();
    }
    const isCounted = epoch < next || (open !== null && open.attempted.length > 0);
    if (isCounted && !state.late.has(epoch)) continue;
    const late = new Set(state.late.get(epoch));
    for (const trace of await ports.records.tracesOf(epoch)) {
      const isOpen = isBudgeted(trace.purpose) && (!isCounted || late.has(trace.task));
      if (isOpen) meter.record('attempted', epoch, trace.id, [useOfTrace(trace)]);
    }
  }
}
