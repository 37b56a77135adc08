/**
 * Attempts of an epoch that waits for its first complete units alone (`rollouts.late`), while the others continue. Which ones
 * are late follows from the order of the records, so that a resumed run counts the same.
 */
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { withLate, type LateGroups } from '../../late/lateGroups.ts';
import { placesOnTime } from '../../late/places.ts';
import type { Loop } from '../../loop.ts';
import type { Places } from '../../spare/places.ts';
import { Race } from '../../spare/race.ts';
import { UnansweredCount } from '../../unanswered.ts';
import type { Round } from '../rounds.ts';
import { attempt } from './attempt.ts';
import type { AttemptPlan, Attempts, Begun, Group } from './attemptPlan.ts';
import { attemptedOf, groupsIn, trainingPlan, type Attempted } from './attemptRound.ts';

type Plan = AttemptPlan & { recorded: readonly Trace[] };

export interface OnTime {
  attempted: Attempted;
  /** The epoch's late groups, once they are complete. Rejects with the failure that ends them. */
  late: Promise<LateGroups>;
}

interface Parts {
  own: Attempts;
  /** Ids of tasks. */
  late: ReadonlySet<string>;
  rest: Promise<LateGroups>;
}

interface Timing {
  begun: Begun | null;
  /** Late groups of the epoch before, which count in this one. */
  before: Promise<LateGroups>;
  /** Share of the units that may be late, 0…1. */
  share: number;
}

/** @param recorded the epoch's traces that are there already */
export async function attemptOnTime(
  loop: Loop,
  epoch: number,
  round: Round,
  recorded: readonly Trace[],
  { begun, before, share }: Timing,
): Promise<OnTime> {
  const from = begun?.at ?? loop.ports.clock.now();
  const journaled = loop.state.open?.attempted[round.number];
  const plan = {
    ...trainingPlan(loop, epoch, [...round.calibrated, ...round.mixed], recorded),
    ...{ closed: journaled !== undefined, begun },
  };
  const { own, late, rest } =
    journaled === undefined
      ? await firstOf(loop, round, plan, placesOnTime(round, share))
      : await asJournaled(loop, round, plan, new Set(journaled.late));
  // The next epoch meets a failure.
  rest.catch(() => undefined);
  const older = await before;
  const groups = {
    calibrated: [...older.calibrated, ...groupsIn(own.groups, round.calibrated)],
    mixed: [...older.mixed, ...groupsIn(own.groups, round.mixed)],
  };
  const { calibrated, mixed, outcome } = attemptedOf(loop, plan, round, groups, withLate(own, older), from);
  return {
    attempted: { calibrated, mixed, outcome: { ...outcome, ...(late.size > 0 && { late: [...late] }) } },
    late: rest,
  };
}

/** Attempts at an epoch's late tasks, of which some may be recorded. @param closed none is made any more */
export async function attemptLate(
  loop: Loop,
  epoch: number,
  round: Round,
  late: ReadonlySet<string>,
  closed: boolean,
): Promise<LateGroups> {
  const recorded = await loop.ports.records.tracesOf(epoch);
  const tasks = [...round.calibrated, ...round.mixed].filter(({ id }) => late.has(id));
  return lateGroups(round, epoch, await attempt(loop, { ...trainingPlan(loop, epoch, tasks, recorded), closed }));
}

async function asJournaled(loop: Loop, round: Round, plan: Plan, late: ReadonlySet<string>): Promise<Parts> {
  const own = await attempt(loop, { ...plan, tasks: plan.tasks.filter(({ id }) => !late.has(id)) });
  return { own, late, rest: attemptLate(loop, plan.epoch, round, late, false) };
}

/** Begins all attempts; those of units that are complete first are its own. */
async function firstOf(loop: Loop, round: Round, plan: Plan, places: Places): Promise<Parts> {
  const begun = plan.begun ?? { at: 0, tasks: new Set<string>(), unanswered: new UnansweredCount() };
  const onTime = begun.onTime ?? new Race();
  for (const trace of plan.recorded) onTime.recorded(trace);
  onTime.expect(places, plan.group);
  const others = plan.tasks.filter(({ id }) => !begun.tasks.has(id));
  const all = Promise.all([begun.finish?.(), attempt(loop, { ...plan, begun, tasks: others, onTime })]);
  all.catch(() => undefined);
  await Promise.race([over(onTime.signal), all]);

  const every = { at: begun.at, tasks: new Set(plan.tasks.map(({ id }) => id)), unanswered: begun.unanswered };
  const recorded = await loop.ports.records.tracesOf(plan.epoch);
  const some = async (tasks: readonly Task[], recorded: readonly Trace[]): Promise<Attempts> => {
    const { groups, tokens } = await attempt(loop, { ...plan, begun: every, tasks, recorded });
    return { groups, tokens, ...begun.unanswered.take() };
  };
  const first = firstIn(recorded, places, plan.group);
  // Attempts without an answer leave too few complete: all have ended.
  const isOnTime = ({ id }: Task): boolean => first === null || first.has(id);
  const late = plan.tasks.filter((task) => !isOnTime(task));
  const own = await some(plan.tasks.filter(isOnTime), recorded);
  return {
    ...{ own, late: new Set(late.map(({ id }) => id)) },
    rest: all.then(async () =>
      lateGroups(round, plan.epoch, await some(late, await loop.ports.records.tracesOf(plan.epoch))),
    ),
  };
}

/** Tasks of the units that are complete first; null where too few are. */
function firstIn(recorded: readonly Trace[], places: Places, group: number): ReadonlySet<string> | null {
  const race = Race.over(recorded, places, group);
  return race.isOver ? new Set(race.counted.flatMap(({ tasks }) => tasks.map(({ id }) => id))) : null;
}

function lateGroups(round: Round, epoch: number, { groups, tokens, unanswered }: Attempts): LateGroups {
  const own = groups.map((group): Group => ({ ...group, attemptedIn: epoch }));
  return {
    calibrated: groupsIn(own, round.calibrated),
    mixed: groupsIn(own, round.mixed),
    tokens,
    ...(unanswered && { unanswered }),
  };
}

const over = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
