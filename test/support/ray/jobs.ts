/** Jobs for a cluster, as a run makes them. */
import { StorekeeperDomain } from '../../../src/benchmarks/storekeeper/domain.ts';
import type { AgentJob, EnvironmentJob, PolicyVersion } from '../../../src/engine/ports.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';

const base: PolicyVersion = { name: 'agent@0', handle: 'verl:base' };

const tasks = new StorekeeperDomain({ baseTasks: 40 }).seeds('base');

export function agentJob(over: Partial<AgentJob> = {}): AgentJob {
  return {
    ...{ kind: 'agent', name: 'e1-agent', epoch: 1, to: 'agent@1', seed: 5 },
    from: { version: base, checkpoint: base },
    tasks: tasks.slice(0, 6).map(({ id, prompt: messages, evaluation, gold }) => ({ id, messages, evaluation, gold })),
    rollouts: { group: 4, temperature: 1, maxTokens: 96 },
    settings: { ...presets.embedded.agent, minibatch: 8 },
    ...over,
  };
}

export function environmentJob(over: Partial<EnvironmentJob> = {}): EnvironmentJob {
  const settings = { ...presets.embedded.environment, steps: 3, minibatch: 4 };
  return {
    ...{ kind: 'environment', name: 'e1-environment', epoch: 1, to: 'environment@1', seed: 5, settings },
    from: { version: base, checkpoint: base },
    examples: tasks.slice(0, 12).map(({ prompt, gold }) => [...prompt, { role: 'assistant', content: gold ?? '' }]),
    ...over,
  };
}
