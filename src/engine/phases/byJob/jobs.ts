/**
 * Policies whose trainer takes whole jobs instead of steps (verl): one job a round attempts, judges and updates the
 * agent, another one trains the environment. A job is known by its name, so that asking again costs nothing.
 */
import * as l10n from '@vscode/l10n';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Task } from '../../../shared/records/task.ts';
import { rewardTask, type RewardAsk } from '../../../shared/rewards/given.ts';
import { defined } from '../../../shared/defined.ts';
import { LoopError } from '../../errors.ts';
import type { Learner, Loop } from '../../loop.ts';
import type { AgentJob, BatchPolicy, JobOutcome, Policy, Ports, Progress, TrainingJob } from '../../ports.ts';
import { seedFrom } from '../../random.ts';
import { roundStream, type Round } from '../rounds.ts';

type Role = 'agent' | 'environment';

/** The policy of a learner that is trained by jobs; null for any other. @throws LoopError `not-trainable` */
export function batchTrainer({ policy }: Pick<Learner, 'policy'>, role: Role): BatchPolicy | null {
  if (policy.capabilities.mode !== 'batch') return null;
  if (takesJobs(policy)) return policy;
  throw new LoopError(
    'not-trainable',
    l10n.t("The {0} policy's endpoint says that it takes jobs, and has no call for it.", role),
  );
}

const takesJobs = (policy: Policy): policy is BatchPolicy => policy.runJob !== undefined;

/** A job makes its own attempts, so no episode can be played with it: refused before any cost. @throws LoopError */
export function refuseEpisodes({ agent }: Experiment, ports: Ports): void {
  if (!agent.train || ports.agent.capabilities.mode !== 'batch') return;
  refuseTurns([...ports.domain.seeds('base'), ...(ports.offlineTasks ?? [])], ports);
}

/** @throws LoopError `not-trainable` when a task has more than one turn */
export function refuseTurns(tasks: readonly Task[], { domain }: Pick<Ports, 'domain'>): void {
  const played = tasks.find((task) => (domain.leaderOf?.(task) ?? domain.environment(task)) !== null);
  if (played === undefined) return;
  throw new LoopError(
    'not-trainable',
    l10n.t(
      "Task {0} is played over several turns or by a program, and the agent's endpoint trains by jobs, which attempt tasks of one turn only. Choose an endpoint that trains step by step for the agent, or single-turn tasks.",
      played.id,
    ),
  );
}

/** The identity of a job: equal whenever a resumed run asks for it again. */
function jobHead(
  loop: Loop,
  role: Role,
  epoch: number,
  round: number,
): Pick<TrainingJob, 'name' | 'epoch' | 'from' | 'to' | 'seed'> {
  const state = loop.state[role];
  if (state === null) throw new LoopError('corrupt-run', l10n.t('The journal names no checkpoint of the {0}.', role));
  return {
    name: `e${epoch}-${role}${round === 0 ? '' : `-${round + 1}`}`,
    epoch,
    from: { version: loop[role].version, checkpoint: state.checkpoint },
    to: `${role}@${loop[role].updates + 1}`,
    seed: seedFrom(loop.experiment.seed, 'job', role, epoch, ...roundStream({ number: round })),
  };
}

/** GRPO on a batch: attempts and update in one. */
export async function runAgentJob(
  loop: Loop,
  epoch: number,
  { number }: Pick<Round, 'number'>,
  policy: BatchPolicy,
  tasks: readonly Task[],
): Promise<JobOutcome> {
  const { group, temperature, maxTokens, maxSequence } = loop.experiment.rollouts;
  const { domain } = loop.ports;
  const job: AgentJob = {
    kind: 'agent',
    ...jobHead(loop, 'agent', epoch, number),
    tasks: await Promise.all(
      tasks.map(async (task) => ({
        id: task.id,
        messages: await domain.agentPrompt(task),
        ...defined({ tools: task.tools }),
        evaluation: task.evaluation,
        gold: task.gold,
        ...(loop.ports.judge !== undefined && { asked: askedOf(loop, epoch, task) }),
      })),
    ),
    rollouts: { group, temperature, maxTokens, ...defined({ maxSequence: maxSequence ?? undefined }) },
    settings: loop.experiment.agent,
  };
  return run(loop, policy, job, 'agent job');
}

/** Which attempt it is becomes known with the dump: the id covers all of them. */
const askedOf = (loop: Loop, epoch: number, task: Task): RewardAsk => ({
  task: rewardTask(task),
  trace: { id: `e${epoch}/${task.id}`, version: loop.agent.version.name },
});

/** Supervised training of the environment on conversations that were drawn for it. */
export function runEnvironmentJob(
  loop: Loop,
  epoch: number,
  policy: BatchPolicy,
  examples: Extract<TrainingJob, { kind: 'environment' }>['examples'],
): Promise<JobOutcome> {
  const head = jobHead(loop, 'environment', epoch, 0);
  const settings = loop.experiment.environment;
  return run(loop, policy, { kind: 'environment', ...head, examples, settings }, 'update environment');
}

function run({ ports }: Loop, policy: BatchPolicy, job: TrainingJob, phase: Progress['phase']): Promise<JobOutcome> {
  return policy.runJob(job, ports.signal, ({ state, step, steps }) =>
    ports.onProgress?.({ phase, epoch: job.epoch, done: step, total: steps ?? 0, tokens: 0, job: state }),
  );
}

/** A job as journaled. Figures that are not numbers are left out, and reported instead. */
export function journaledJob({ ports }: Loop, { id, metrics }: JobOutcome): Pick<JobOutcome, 'id' | 'metrics'> {
  const [numbers, others] = [new Map<string, number>(), new Array<string>()];
  for (const [name, value] of Object.entries(metrics)) {
    if (Number.isFinite(value)) numbers.set(name, value);
    else others.push(name);
  }
  if (others.length > 0) ports.log.warn(`Job ${id} ended with metrics that are no numbers: ${others.join(', ')}.`);
  return { id, metrics: Object.fromEntries(numbers) };
}
