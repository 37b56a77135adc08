/** The agent's update as its job made it, after the same job's attempts were scored. */
import type { EventOf } from '../../../shared/journal/events.ts';
import { timed, type Loop } from '../../loop.ts';
import type { BatchPolicy } from '../../ports.ts';
import type { Group } from '../attempts/attemptPlan.ts';
import { sortGroups } from '../groups.ts';
import { journaledJob, runAgentJob } from './jobs.ts';
import { roundNamed, type Round } from '../rounds.ts';

type Updated = Omit<EventOf<'agent.updated'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** Asks for the job that attempted this batch: it has ended, so this only reads its results. */
export async function updateAgentByJob(
  loop: Loop,
  epoch: number,
  round: Pick<Round, 'number' | 'last'>,
  policy: BatchPolicy,
  groups: readonly Group[],
): Promise<Updated> {
  const { result: outcome, seconds } = await timed(loop, () =>
    runAgentJob(
      loop,
      epoch,
      round,
      policy,
      groups.map(({ task }) => task),
    ),
  );
  const { version, checkpoint, steps, attempts, told } = outcome;
  const tokens = attempts.map((attempt) => attempt.tokens).filter((count) => count !== null);
  return {
    type: 'agent.updated',
    groups: sortGroups(groups).counts,
    version,
    checkpoint,
    steps,
    sequences: attempts.length,
    tokens: tokens.length < attempts.length ? null : tokens.reduce((sum, count) => sum + count, 0),
    loss: told.loss,
    entropy: told.entropy,
    gradNorm: told.gradNorm,
    kl: { sampleTrainV1: null, sampleTrainV2: null, prePost: null, reference: told.referenceKl },
    job: journaledJob(loop, outcome),
    seconds,
    ...roundNamed(round),
  };
}
