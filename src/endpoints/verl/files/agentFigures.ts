/** Figures of an agent job by the settings that its trainer gets. */
import { newTokens } from '../../../engine/newTokens.ts';
import type { AgentJob } from '../../../engine/ports.ts';
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { divide } from '../batch.ts';
import { gpusOf, overridden } from './overridden.ts';

/** Tokens that an answer has at most. verl bounds prompts and answers apart, and how many tokens a prompt has only the cluster knows. */
export const answerBound = ({ rollouts }: Pick<AgentJob, 'rollouts'>, endpoint: VerlEndpoint): number =>
  overridden(endpoint, 'actor_rollout_ref.rollout.response_length') ??
  overridden(endpoint, 'data.max_response_length') ??
  newTokens(rollouts, 0);

/** Tasks of an optimiser step, and how many steps a job makes. @throws EndpointError `unable` when the batch does not divide */
export function agentSteps(
  { epoch, tasks, rollouts: { group }, settings }: AgentJob,
  endpoint: VerlEndpoint,
): { minibatch: number; passes: number; steps: number } {
  const wanted = settings.minibatchUnit === 'task' ? settings.minibatch * group : settings.minibatch;
  const gpus = gpusOf(endpoint);
  const ours = divide({ tasks: tasks.length, group, gpus, wanted }, { epoch, endpoint: endpoint.url });
  const minibatch = overridden(endpoint, 'actor_rollout_ref.actor.ppo_mini_batch_size') ?? ours.minibatch;
  const passes = overridden(endpoint, 'actor_rollout_ref.actor.ppo_epochs') ?? settings.passes;
  return { minibatch, passes, steps: Math.ceil(tasks.length / minibatch) * passes };
}
