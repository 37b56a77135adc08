/**
 * Rollouts of an agent that is trained by jobs: the job attempted the batch itself, and its dump holds the
 * conversations. Success and reward are still judged here: a job's own copy of the scorer only guides its update.
 */
import * as l10n from '@vscode/l10n';
import { askedOf } from '../../../shared/records/asked.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import { knownSum } from '../../../shared/money/knownSum.ts';
import { LoopError } from '../../errors.ts';
import type { Loop } from '../../loop.ts';
import type { BatchPolicy, JobAttempt, JobOutcome } from '../../ports.ts';
import { UnansweredCount } from '../../unanswered.ts';
import { traceId, type AttemptPlan, type Attempts, type Group } from '../attempts/attemptPlan.ts';
import { knownTokens } from '../attempts/traceTokens.ts';
import { refuseTurns, runAgentJob } from './jobs.ts';
import type { Round } from '../rounds.ts';

/** Rewards nearer than this are the same: Python prints and reads them once more. */
const sameReward = 1e-6;

type JobPlan = Pick<AttemptPlan, 'epoch' | 'tasks' | 'group' | 'closed'> & { recorded: readonly Trace[] };

/** The attempts of the round's job, each recorded once. @throws LoopError `endpoint` when its dump holds none of them */
export async function attemptByJob(
  loop: Loop,
  policy: BatchPolicy,
  round: Pick<Round, 'number'>,
  plan: JobPlan,
): Promise<Attempts<number | null>> {
  const { epoch, tasks, group, closed, recorded } = plan;
  refuseTurns(tasks, loop.ports);
  const done = new Map(recorded.map((trace) => [trace.id, trace]));
  const told = closed ? {} : await record(loop, plan, await runAgentJob(loop, epoch, round, policy, tasks), done);
  const groups = tasks.map((task): Group => {
    const ids = Array.from({ length: group }, (_, i) => idOf(epoch, task.id, i));
    return { task, traces: ids.map((id) => done.get(id)).filter((trace) => trace !== undefined) };
  });
  const traces = groups.flatMap((one) => one.traces);
  const counts = traces.map(knownTokens);
  const unknown = counts.filter((tokens) => tokens === null).length;
  if (unknown > 0)
    loop.ports.log.warn(
      `The tokens of ${unknown} of ${traces.length} attempts of epoch ${epoch} are not known: no tokenizer counted answers or prompts where ` +
        'the job ran. budget.tokens and forecasts count none of this batch.',
    );
  return { groups, tokens: counts.reduce(knownSum, 0), ...told };
}

const idOf = (epoch: number, task: string, index: number): string => traceId({ purpose: 'train', epoch }, task, index);

async function record(loop: Loop, { epoch, tasks, group }: JobPlan, outcome: JobOutcome, done: Map<string, Trace>) {
  const { records, log, domain } = loop.ports;
  const attempts = new Map(outcome.attempts.map((attempt) => [idOf(epoch, attempt.task, attempt.index), attempt]));
  const unanswered = new UnansweredCount();
  const apart: string[] = [];
  for (const task of tasks) {
    const fresh: Trace[] = [];
    const prompt = await domain.agentPrompt(task);
    for (let index = 0; index < group; index++) {
      const id = idOf(epoch, task.id, index);
      const attempt = attempts.get(id);
      if (attempt === undefined) {
        unanswered.add(l10n.t('The job left the task out, or its dump does not hold the attempt.'));
        continue;
      }
      const trace = done.get(id) ?? (await traceOf(loop, epoch, { task, prompt }, attempt));
      if (!done.has(id)) fresh.push(trace);
      done.set(id, trace);
      const { reward, error } = trace.verdict;
      if (error === undefined && Math.abs(reward - attempt.reward) > sameReward)
        apart.push(l10n.t("{0}: the job's reward is {1}, the scorer's {2}", id, attempt.reward, reward));
    }
    if (fresh.length > 0) await records.appendTraces(fresh);
  }
  const told = unanswered.event;
  const all = tasks.length * group;
  if (told.unanswered?.count === all) {
    throw new LoopError(
      'endpoint',
      l10n.t('Job {0} is done, and its dump holds not one attempt at its tasks.', outcome.id),
    );
  }
  if (told.unanswered !== undefined)
    log.warn(`Job ${outcome.id}: ${told.unanswered.count} of ${all} attempts are missing.`);
  const [example] = apart;
  if (example === undefined) return told;
  log.warn(
    `Job ${outcome.id}: ${apart.length} of ${all} attempts were judged otherwise by the job than here, so its update ` +
      `followed other rewards than p̂ does. ${example}.`,
  );
  return { ...told, disagreements: { count: apart.length, example } };
}

/** Without token ids: nothing here trains on it, and only their number is known; a prompt of 0 is one that nothing counted. */
async function traceOf(
  { ports, agent }: Loop,
  epoch: number,
  { task, prompt }: { task: Task; prompt: readonly Message[] },
  attempt: JobAttempt,
): Promise<Trace> {
  const { text, reasoning, promptTokens, tokens, stopReason, index } = attempt;
  const start = promptTokens ?? 0;
  const messages: Trace['messages'] = [{ role: 'assistant', content: text, ...defined({ reasoning }) }];
  const attempted: Omit<Trace, 'verdict'> = {
    v: 1,
    id: idOf(epoch, task.id, index),
    purpose: 'train',
    task: task.id,
    family: task.family,
    ...defined({ domain: task.domain }),
    epoch,
    version: agent.version.name,
    ...askedOf(task, prompt),
    messages,
    sequences: tokens === null ? [] : [{ tokens: [], spans: [[start, start + tokens]], logprobs: [] }],
    stopReason,
  };
  const verdict = await (ports.judge?.judge(task, attempted) ?? ports.scorer.score(task, { messages, stopReason }));
  return { ...attempted, verdict };
}
