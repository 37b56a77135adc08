/** Success on the held-out tasks: the number that says whether the agent learned anything that matters. */
import type { EventOf } from '../../../shared/journal/events.ts';
import { defined } from '../../../shared/defined.ts';
import { figuresOf } from '../../byDomain.ts';
import { timed, type Loop } from '../../loop.ts';
import { assumedCorrelation, clusteredRate } from '../../math/written/clusters.ts';
import { attempt } from '../attempts/attempt.ts';
import { smallestGroup, type Group } from '../attempts/attemptPlan.ts';
import { meanAnswer } from '../attempts/meanAnswer.ts';
import { truncatedOf } from '../attempts/traceTokens.ts';
import { billedFor } from '../../spending/billed.ts';
import { triesOf } from '../groups.ts';

type Outcome = Omit<EventOf<'validated'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** Whether an epoch is validated: the start, every `every` epochs, and the one that the run ends with. */
export const validates = ({ experiment, validation }: Loop, epoch: number, last: boolean): boolean =>
  validation.length > 0 && isDue(experiment.validation.every, epoch, last);

/** The start, every `every` epochs, and the `last`; never for 0. */
export const isDue = (every: number, epoch: number, last: boolean): boolean =>
  every > 0 && (epoch % every === 0 || last);

/** Attempts every validation task. Of several attempts `outcomes` tells only the majority, and `tries` all. */
export async function validate(loop: Loop, epoch: number): Promise<Outcome> {
  const { validation } = loop.experiment;
  const { result, seconds } = await timed(loop, () =>
    attempt(loop, {
      purpose: 'validation',
      epoch,
      tasks: loop.validation,
      group: validation.rollouts,
      minimum: smallestGroup(loop, validation.rollouts, 0),
      closed: false,
      temperature: validation.temperature,
      keepSequences: false,
    }),
  );
  const tries = result.groups.map(({ traces }) => triesOf(traces));
  const { successRate, ...measures } = measured(result.groups);
  return {
    type: 'validated',
    version: loop.agent.version.name,
    successRate,
    outcomes: tries.map(({ successes, attempts }) => outcome(successes, attempts)).join(''),
    ...(validation.rollouts > 1 && { tries: tries.map(({ successes, attempts }) => [successes, attempts]) }),
    ...measures,
    tokens: result.tokens,
    ...billedFor(loop.experiment.endpoints, result.groups),
    seconds,
    ...defined({ unanswered: result.unanswered }),
    ...figuresOf(loop.domains, (name) => {
      const own = result.groups.filter(({ task }) => task.domain === name);
      return { tasks: own.length, ...measured(own) };
    }),
  };
}

function measured(groups: readonly Group[]) {
  const traces = groups.flatMap((group) => group.traces);
  return {
    successRate: clusteredRate(
      groups.map((group) => triesOf(group.traces)),
      assumedCorrelation.task,
    ),
    truncated: truncatedOf(traces),
    answerLength: meanAnswer(traces),
  };
}

/** One character of a task: solved by most of its judged attempts, or not, or none was judged. */
export function outcome(solved: number, attempts: number): string {
  if (attempts === 0) return '-';
  return solved * 2 > attempts ? '1' : '0';
}
