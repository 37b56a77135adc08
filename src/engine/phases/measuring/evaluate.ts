/** Success on a benchmark's tasks, which the run neither trains nor generates on: how far learning generalises. */
import type { EventOf } from '../../../shared/journal/events.ts';
import { defined } from '../../../shared/defined.ts';
import { timed, type Loop } from '../../loop.ts';
import { meanPassAtK, type Tries } from '../../math/passAtK.ts';
import type { Benchmark } from '../../ports.ts';
import { attempt } from '../attempts/attempt.ts';
import { meanAnswer } from '../attempts/meanAnswer.ts';
import { truncatedOf } from '../attempts/traceTokens.ts';
import { billedFor } from '../../spending/billed.ts';
import { triesOf } from '../groups.ts';
import { isDue, outcome } from './validate.ts';

type Outcome = Omit<EventOf<'evaluated'>, 'v' | 'seq' | 'at' | 'epoch'>;

/** The benchmark on which an epoch is evaluated: the start, every `every` epochs, and the `last`; null for the others. */
export const benchmarkOf = ({ experiment, ports }: Loop, epoch: number, last: boolean): Benchmark | null =>
  isDue(experiment.evaluation.every, epoch, last) ? (ports.benchmark ?? null) : null;

/** Attempts every task of the benchmark by the rules of its authors. */
export async function evaluate(loop: Loop, epoch: number, benchmark: Benchmark): Promise<Outcome> {
  const { experiment, agent, ports } = loop;
  const { attempts, temperature } = experiment.evaluation;
  const { signal, records } = ports;
  const { result, seconds } = await timed(loop, () =>
    attempt(
      {
        // An episode of a benchmark knows its own limit.
        experiment: { seed: experiment.seed, rollouts: { ...experiment.rollouts, maxTurns: Infinity } },
        agent,
        // A custom reward is for training: a benchmark is judged by its authors' rules.
        ports: {
          ...{ domain: benchmark.domain, scorer: benchmark.scorer, signal, records },
          onProgress: (now) => ports.onProgress?.(now),
        },
      },
      {
        ...{ purpose: 'benchmark', epoch, tasks: benchmark.tasks, group: attempts, temperature },
        // A measurement does not end a run where single tasks are too long for the model: it reports them.
        ...{ minimum: 0, closed: false, keepSequences: false },
      },
    ),
  );
  const judged = result.groups.map(({ traces }) => triesOf(traces));
  // Benchmark authors count unanswered and unjudged attempts as wrong.
  const tries = judged.map(({ successes }) => ({ attempts, successes }));
  const sum = (of: (one: Tries) => number): number => judged.reduce((total, one) => total + of(one), 0);
  const traces = result.groups.flatMap((group) => group.traces);
  const { name, rule, digest, tasks, data } = benchmark;
  return {
    ...{ type: 'evaluated', version: agent.version.name, benchmark: name, rule, digest },
    ...{ tasks: tasks.length, attempts, ...data },
    pass: [...new Set([1, attempts])].map((k) => meanPassAtK(tries, k)),
    judged: { attempts: sum((one) => one.attempts), successes: sum((one) => one.successes) },
    outcomes: judged.map((one) => outcome(one.successes, one.attempts === 0 ? 0 : attempts)).join(''),
    truncated: truncatedOf(traces),
    checkerErrors: traces.filter(({ verdict }) => verdict.error !== undefined).length,
    answerLength: meanAnswer(traces),
    tokens: result.tokens,
    ...billedFor(loop.experiment.endpoints, result.groups),
    seconds,
    ...defined({ unanswered: result.unanswered }),
  };
}
