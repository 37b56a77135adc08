/** Attempts at one task, posed and judged by the current domain file, in the loop's own phase. Affects no run. */
import * as l10n from '@vscode/l10n';
import { careful } from '../../../engine/carefulScorer.ts';
import { attempt } from '../../../engine/phases/attempts/attempt.ts';
import { seedFrom } from '../../../engine/random.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { defined } from '../../../shared/defined.ts';
import { MemoryRecords } from '../../../launch/memoryRecords.ts';
import { newestAgent, untrainedAgent, type OpenAgent } from '../../../launch/policies/newestAgent.ts';
import { openScorer } from '../../../launch/scoring/openScorer.ts';
import type { DomainTrial } from './openTrial.ts';
import type { TrialTools } from './writeTasks.ts';

export interface PosedTask {
  task: Task;
  /** The agent's prompt. */
  prompt: readonly Message[];
  /** Of the agent; '' where it was stopped before there was one. */
  version: string;
  /** In the order of their numbers; fewer than requested where some were not answered, or the user cancelled. */
  traces: readonly Trace[];
  /** Why some are missing; null where none is. */
  missing: string | null;
}

export interface AttemptAsk {
  trial: DomainTrial;
  task: Task;
  attempts: number;
  /** Whose newest agent attempts it; the agent that the experiment begins with when null. */
  run: RunReader | null;
}

/**
 * An abort is an outcome: the attempts so far. @throws LoopError `endpoint`, KeyError, the endpoint's own
 * errors
 */
export async function attemptTask({ trial, task, attempts, run }: AttemptAsk, tools: TrialTools): Promise<PosedTask> {
  const { experiment, domain, judge } = trial;
  const { signal, clock, dist } = tools;
  const prompt = await domain.agentPrompt(task);
  let agent: OpenAgent | null = null;
  const records = new MemoryRecords();
  const done = (missing: string | null): PosedTask => {
    const traces = records.traces.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
    return { task, prompt, version: agent?.version.name ?? '', traces, missing };
  };
  try {
    agent = await (run === null ? untrainedAgent(experiment, tools) : newestAgent(run, tools));
    const { unanswered } = await attempt(
      {
        experiment: {
          seed: seedFrom(experiment.seed, 'trial', clock.now()),
          rollouts: experiment.rollouts,
        },
        agent,
        ports: {
          ...{ domain, scorer: careful(await openScorer(dist, [task])), records, signal },
          ...defined({ judge: judge ?? undefined }),
          onProgress: (progress) => tools.onProgress?.(progress),
        },
      },
      {
        ...{ purpose: 'train', epoch: task.epoch, tasks: [task], group: attempts, minimum: 0, closed: false },
        ...{ temperature: experiment.rollouts.temperature, keepSequences: true },
      },
    );
    return done(unanswered?.causes.map(({ cause }) => cause).join(' ') ?? null);
  } catch (error) {
    if (!signal.aborted) throw error;
    return done(l10n.t('It was stopped.'));
  } finally {
    await agent?.close();
  }
}
