/** The rollouts of one round of an epoch. */
import type { Cut, EventOf } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import { cutOffBand } from '../../cutOff/cutOffOf.ts';
import type { CutOffPlan } from '../../cutOff/cutOff.ts';
import { figuresOf } from '../../byDomain.ts';
import type { Loop } from '../../loop.ts';
import { noneLate, withLate, type LateGroups } from '../../late/lateGroups.ts';
import { lengthsOf } from '../../order/measuredLengths.ts';
import { expectedLength, knownLength } from '../../order/expectedLength.ts';
import { droppedOf } from '../../spare/dropped.ts';
import { attempt } from './attempt.ts';
import { attemptSpare } from './attemptSpare.ts';
import { smallestGroup, type AttemptPlan, type Attempts, type Begun, type Group } from './attemptPlan.ts';
import { billedFor } from '../../spending/billed.ts';
import { meanAnswer } from './meanAnswer.ts';
import { truncatedOf } from './traceTokens.ts';
import { attemptByJob } from '../byJob/attemptByJob.ts';
import { batchTrainer } from '../byJob/jobs.ts';
import type { BatchPolicy } from '../../ports.ts';
import { roundNamed, type Round } from '../rounds.ts';
import type { StreamedPass } from '../updates/streamedPass.ts';

export type Outcome = Omit<EventOf<'rollouts.finished'>, 'v' | 'seq' | 'at' | 'type' | 'epoch'>;

export interface Attempted {
  calibrated: Group[];
  mixed: Group[];
  outcome: Outcome;
}

/** Attempts to train on. @param recorded the epoch's traces that are there already */
export function trainingPlan(
  loop: Loop,
  epoch: number,
  tasks: readonly Task[],
  recorded: readonly Trace[],
  expected = expectedLength(loop, epoch),
) {
  const { group, temperature } = loop.experiment.rollouts;
  return {
    ...{ purpose: 'train', epoch, tasks, group, temperature, recorded },
    ...{ minimum: smallestGroup(loop, group, 1), closed: false, keepSequences: true, expected },
  } satisfies AttemptPlan;
}

/**
 * Attempts a round's tasks; recorded attempts are reused.
 * @param recorded the epoch's traces that are there already
 * @param stream what learns from them meanwhile
 * @param older groups of the epoch before that count in this round
 */
export async function attemptRound(
  loop: Loop,
  epoch: number,
  round: Round,
  recorded: readonly Trace[],
  begun: Begun | null = null,
  stream: StreamedPass | null = null,
  older: LateGroups = noneLate,
): Promise<Attempted> {
  const from = begun?.at ?? loop.ports.clock.now();
  const plan = {
    ...trainingPlan(loop, epoch, [...round.calibrated, ...round.mixed], recorded),
    closed: (loop.state.open?.attempted.length ?? 0) > round.number,
    ...{ begun, stream },
    ...defined({ cutOff: cutOffPlan(loop, epoch, round) }),
  };
  const trainer = loop.experiment.agent.train ? batchTrainer(loop.agent, 'agent') : null;
  // A job is whole or not at all.
  const byJob = trainer !== null && (plan.closed || loop.meter.admits()) ? trainer : null;
  const result = await made(loop, byJob, round, plan);
  const groups = {
    calibrated: [...older.calibrated, ...groupsIn(result.groups, round.calibrated)],
    mixed: [...older.mixed, ...groupsIn(result.groups, round.mixed)],
  };
  return attemptedOf(loop, plan, round, groups, withLate(result, older), from);
}

/** Groups of some tasks, in the order of the tasks. */
export function groupsIn(groups: readonly Group[], tasks: readonly Task[]): Group[] {
  const own = new Map(groups.map((one) => [one.task, one]));
  return tasks.flatMap((task) => own.get(task) ?? []);
}

/** @param from when its attempts began, in milliseconds since the Unix epoch */
export function attemptedOf(
  loop: Loop,
  plan: AttemptPlan,
  round: Pick<Round, 'number' | 'last'>,
  { calibrated, mixed }: Pick<Attempted, 'calibrated' | 'mixed'>,
  result: Made,
  from: number,
): Attempted {
  const { dropped = [], groups } = result;
  const seconds = (loop.ports.clock.now() - from) / 1000;
  const { tasks, rollouts, ...kinds } = countsOf(groups);
  return {
    ...{ calibrated, mixed },
    outcome: {
      ...roundNamed(round),
      tasks,
      rollouts,
      tokens: result.tokens,
      ...billedFor(loop.experiment.endpoints, groups),
      ...defined({ cut: plan.closed ? undefined : cutOf(loop, plan, result) }),
      ...kinds,
      seconds,
      ...defined({ unanswered: result.unanswered, disagreements: result.disagreements }),
      ...defined({ cutOff: result.cutOff }),
      ...defined({ dropped: plan.closed ? undefined : fellOut(loop, plan, result) }),
      ...(keepsLengths(loop) && { lengths: lengthsOf([...groups, ...dropped]) }),
      ...figuresOf(loop.domains, (name) => countsOf(groups.filter(({ task }) => task.domain === name))),
    },
  };
}

type Made = Attempts<number | null> & { dropped?: Group[]; isOver?: boolean };

async function made(
  loop: Loop,
  byJob: BatchPolicy | null,
  round: Round,
  plan: AttemptPlan & { recorded: readonly Trace[] },
): Promise<Made> {
  if (byJob !== null) return attemptByJob(loop, byJob, round, plan);
  return round.needed === undefined ? attempt(loop, plan) : attemptSpare(loop, round, round.needed, plan);
}

const keepsLengths = ({ experiment: { rollouts } }: Loop): boolean =>
  rollouts.order === 'longest' || rollouts.spare > 0;

function fellOut(loop: Loop, { epoch, group }: AttemptPlan, { groups, dropped = [], isOver = false }: Made) {
  const { endpoints } = loop.experiment;
  const expected = knownLength(loop.state, epoch);
  return droppedOf({ counted: groups, dropped, group, isOver, endpoints, expected });
}

/** Base data and pool tasks are attempted in any case: no family's place in the band hangs on them. */
function cutOffPlan(loop: Loop, epoch: number, { calibrated }: Round): CutOffPlan | undefined {
  const band = cutOffBand(loop, epoch);
  return band && { tasks: calibrated, band };
}

/** Attempts that were not begun because a budget is used up. */
function cutOf(
  { meter }: Loop,
  { group }: AttemptPlan,
  { groups, unanswered, cutOff = [] }: Pick<Attempts, 'groups' | 'unanswered' | 'cutOff'>,
): Cut | undefined {
  // Late groups of a shared epoch may have another size.
  const missing = groups.reduce((sum, { traces }) => sum + Math.max(0, group - traces.length), 0);
  const leftOut = cutOff.reduce((sum, { left }) => sum + left, 0);
  const left = missing - (unanswered?.count ?? 0) - leftOut;
  const { refused } = meter;
  return left <= 0 || refused === null ? undefined : { ...refused, left };
}

/** Counts of some tasks' attempts. */
function countsOf(
  groups: readonly Group[],
): Pick<Outcome, 'tasks' | 'rollouts' | 'truncated' | 'invalid' | 'checkerErrors' | 'answerLength'> {
  const traces = groups.flatMap((group) => group.traces);
  return {
    tasks: groups.length,
    rollouts: traces.length,
    truncated: truncatedOf(traces),
    invalid: traces.filter(({ verdict }) => !verdict.valid).length,
    checkerErrors: traces.filter(({ verdict }) => verdict.error !== undefined).length,
    answerLength: meanAnswer(traces),
  };
}
