/** The rollouts of one round of an epoch. */
import type { EventOf } from '../../../shared/journal/events.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { figuresOf } from '../../byDomain.ts';
import { mean, timed, type Loop } from '../../loop.ts';
import { attempt, smallestGroup, type AttemptPlan, type Group } from './attempt.ts';
import { answerTokens } from './traceTokens.ts';
import { attemptByJob } from '../byJob/attemptByJob.ts';
import { batchTrainer } from '../byJob/jobs.ts';
import { roundNamed, type Round } from '../rounds.ts';

type Outcome = Omit<EventOf<'rollouts.finished'>, 'v' | 'seq' | 'at' | 'type' | 'epoch'>;

export interface Attempted {
  calibrated: Group[];
  mixed: Group[];
  outcome: Outcome;
}

/**
 * Attempts a round's tasks: what is recorded already is taken as it is.
 * @param recorded the epoch's traces from before this process came to it
 */
export async function attemptRound(
  loop: Loop,
  epoch: number,
  round: Round,
  recorded: readonly Trace[],
): Promise<Attempted> {
  const { rollouts, agent } = loop.experiment;
  const plan = {
    purpose: 'train',
    epoch,
    tasks: [...round.calibrated, ...round.mixed],
    group: rollouts.group,
    minimum: smallestGroup(loop, rollouts.group, 1),
    closed: (loop.state.open?.attempted.length ?? 0) > round.number,
    temperature: rollouts.temperature,
    keepSequences: true,
    recorded,
  } satisfies AttemptPlan;
  const trainer = agent.train ? batchTrainer(loop.agent, 'agent') : null;
  const { result, seconds } = await timed(loop, () =>
    trainer === null ? attempt(loop, plan) : attemptByJob(loop, trainer, round, plan),
  );
  const { tasks, rollouts: made, ...kinds } = countsOf(result.groups);
  return {
    calibrated: result.groups.slice(0, round.calibrated.length),
    mixed: result.groups.slice(round.calibrated.length),
    outcome: {
      ...roundNamed(round),
      tasks,
      rollouts: made,
      tokens: result.tokens,
      ...kinds,
      seconds,
      ...(result.unanswered === undefined ? {} : { unanswered: result.unanswered }),
      ...(result.disagreements === undefined ? {} : { disagreements: result.disagreements }),
      ...figuresOf(loop.domains, (name) => countsOf(result.groups.filter(({ task }) => task.domain === name))),
    },
  };
}

/** What became of some tasks' attempts. */
function countsOf(
  groups: readonly Group[],
): Pick<Outcome, 'tasks' | 'rollouts' | 'truncated' | 'invalid' | 'checkerErrors' | 'answerLength'> {
  const traces = groups.flatMap((group) => group.traces);
  return {
    tasks: groups.length,
    rollouts: traces.length,
    truncated: traces.filter(({ stopReason }) => stopReason === 'length').length,
    invalid: traces.filter(({ verdict }) => !verdict.valid).length,
    checkerErrors: traces.filter(({ verdict }) => verdict.error !== undefined).length,
    // A job may not tell how long its answers are.
    answerLength: mean(traces.filter(({ sequences }) => sequences.length > 0).map(answerTokens)),
  };
}
