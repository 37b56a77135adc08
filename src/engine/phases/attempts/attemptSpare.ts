/**
 * Attempts at more groups than a round needs (`rollouts.spare`): once the first are complete, the others are ended. Which
 * ones count follows from the order of the records alone, so that a resumed run counts the same.
 */
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { UnansweredCount } from '../../unanswered.ts';
import { unitsOf, type Places, type Unit } from '../../spare/places.ts';
import { Race } from '../../spare/race.ts';
import type { Loop } from '../../loop.ts';
import type { Round } from '../rounds.ts';
import { attempt } from './attempt.ts';
import type { AttemptPlan, Attempts, Begun, Group } from './attemptPlan.ts';

export interface SpareAttempts extends Attempts {
  dropped: Group[];
  /** Others were under way when enough were complete. */
  isOver: boolean;
}

type Plan = AttemptPlan & { recorded: readonly Trace[] };

/** @param needed how many tasks of each kind count */
export async function attemptSpare(
  loop: Loop,
  round: Round,
  needed: ReadonlyMap<string, number>,
  plan: Plan,
): Promise<SpareAttempts> {
  const places = { units: unitsOf(round), needed };
  const journaled = plan.closed ? loop.state.open?.attempted[round.number] : undefined;
  if (journaled !== undefined) {
    const out = new Set(journaled.dropped?.groups.map(({ task }) => task));
    return collected(loop, plan, (task) => !out.has(task.id), false);
  }
  const begun: Begun = plan.begun ?? { at: 0, tasks: new Set(), unanswered: new UnansweredCount() };
  await race(loop, { ...plan, begun }, places);
  const recorded = await loop.ports.records.tracesOf(plan.epoch);
  const { counted, isOver } = firstComplete(places, plan, recorded);
  const own = new Set(counted.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  // Nothing is asked again.
  const all = new Set(plan.tasks.map(({ id }) => id));
  const ended = { at: begun.at, tasks: all, unanswered: begun.unanswered };
  return collected(loop, { ...plan, recorded, begun: ended }, ({ id }) => own.has(id), isOver);
}

/** Until enough groups are complete, or all have ended. @throws the failure that ends the phase */
async function race(loop: Loop, plan: Plan & { begun: Begun }, places: Places): Promise<void> {
  const { begun, group } = plan;
  const race = begun.race ?? new Race();
  for (const trace of plan.recorded) race.recorded(trace);
  race.expect(places, group);
  const signal = AbortSignal.any([loop.ports.signal, race.signal]);
  const within = { ...loop, ports: { ...loop.ports, signal } };
  const others = plan.tasks.filter(({ id }) => !begun.tasks.has(id));
  const ends = await Promise.allSettled([
    begun.finish?.(),
    others.length === 0 ? null : attempt(within, { ...plan, tasks: others, race }),
  ]);
  if (loop.ports.signal.aborted) loop.ports.signal.throwIfAborted();
  if (race.isOver) return;
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/**
 * The units that are complete first, in the order of the records; where unanswered attempts or a budget leave too few,
 * those that are begun, in the order of the batch: the ones with enough attempts first.
 */
function firstComplete(
  places: Places,
  { group, minimum }: Pick<AttemptPlan, 'group' | 'minimum'>,
  recorded: readonly Trace[],
): { counted: Unit[]; isOver: boolean } {
  const race = Race.over(recorded, places, group);
  const counted = [...race.counted];
  if (race.isOver) return { counted, isOver: true };
  const made = new Map<string, number>();
  for (const { task, purpose } of recorded) if (purpose === 'train') made.set(task, (made.get(task) ?? 0) + 1);
  const rest = places.units.filter((unit) => !counted.includes(unit));
  const enough = ({ tasks }: Unit): boolean => tasks.every(({ id }) => (made.get(id) ?? 0) >= minimum);
  const left = new Map([...places.needed.keys()].map((kind) => [kind, race.left(kind)]));
  for (const unit of [...rest.filter(enough), ...rest.filter((unit) => !enough(unit))]) {
    const places = left.get(unit.kind) ?? 0;
    if (places <= 0) continue;
    left.set(unit.kind, places - unit.tasks.length);
    counted.push(unit);
  }
  return { counted, isOver: false };
}

async function collected(
  loop: Loop,
  plan: Plan,
  counts: (task: Task) => boolean,
  isOver: boolean,
): Promise<SpareAttempts> {
  const out = plan.tasks.filter((task) => !counts(task));
  const { tokens, groups, ...rest } = await attempt(loop, { ...plan, tasks: plan.tasks.filter(counts) });
  const traces = Map.groupBy(plan.recorded, ({ task }) => task);
  const dropped = out.map((task) => ({
    task,
    traces: (traces.get(task.id) ?? []).filter(({ purpose }) => purpose === 'train'),
  }));
  return { groups, tokens, ...rest, dropped, isOver };
}
