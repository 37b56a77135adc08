/** Texts that an experiment's environment policy writes now, by the loop's own phase: parsed, verified, and kept nowhere. */
import { careful } from '../../../engine/carefulScorer.ts';
import type { Learner } from '../../../engine/loop.ts';
import { openLoop } from '../../../engine/openLoop.ts';
import { generate } from '../../../engine/phases/generate.ts';
import type { Ports, Progress } from '../../../engine/ports.ts';
import { seedFrom } from '../../../engine/random.ts';
import { emptyState } from '../../../engine/state.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import type { Unanswered } from '../../../shared/journal/events.ts';
import type { Task } from '../../../shared/records/task.ts';
import { MemoryRecords } from '../../../launch/memoryRecords.ts';
import { untrainedPolicy, type AgentTools, type OpenAgent } from '../../../launch/policies/newestAgent.ts';
import type { DomainTrial } from './openTrial.ts';

export interface TrialTools extends AgentTools {
  onProgress?: (progress: Progress) => void;
}

export interface WrittenTasks {
  seed: Task;
  /** Of the environment policy; '' where it was stopped before there was one. */
  version: string;
  /** Accepted and rejected ones, each with its text and the prompt that it answers, in the order they were written. */
  tasks: readonly Task[];
  unanswered: Unanswered | null;
  /** Whether a person had enough of it before all were written. */
  stopped: boolean;
}

/**
 * One family of variations, each text tried once. An abort is an outcome: the texts so far.
 * @throws LoopError `endpoint`, KeyError and the endpoint's own errors
 */
export async function writeTasks(
  { trial, seed, count }: { trial: DomainTrial; seed: Task; count: number },
  tools: TrialTools,
): Promise<WrittenTasks> {
  const { clock, log, signal } = tools;
  const { domain, rules } = trial;
  const experiment: Experiment = {
    ...trial.experiment,
    // Asked again, it writes something else.
    seed: seedFrom(trial.experiment.seed, 'trial', clock.now()),
    mode: 'random',
    agent: { ...trial.experiment.agent, train: false },
    generation: { ...trial.experiment.generation, attempts: 1 },
  };
  const records = new MemoryRecords();
  let opened: OpenAgent | null = null;
  try {
    opened = await untrainedPolicy(experiment, 'environment', tools);
    const { policy, version } = opened;
    const environment: Learner = { policy, version, initial: { policy, version }, updates: 0 };
    const ports: Ports = {
      // Nothing is attempted.
      ...{ agent: policy, environment: policy, domain, scorer: careful(rules), records, clock, log, signal },
      journal: { append: () => Promise.resolve() },
      onProgress: (progress) => tools.onProgress?.(progress),
    };
    const { loop } = await openLoop(experiment, ports, emptyState, { agent: environment, environment });
    const context = { seed, recentSuccess: null, target: experiment.curriculum.alpha };
    const { unanswered = null } = await generate(loop, 1, [{ id: 'trial', context, variations: count }]);
    return { seed, version: version.name, tasks: records.tasks, unanswered, stopped: false };
  } catch (error) {
    if (!signal.aborted) throw error;
    return { seed, version: opened?.version.name ?? '', tasks: records.tasks, unanswered: null, stopped: true };
  } finally {
    await opened?.close();
  }
}
