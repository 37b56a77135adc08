/** Whether the endpoints can do the experiment's work. */
import { LoopError } from '../../../engine/errors.ts';
import { trainable } from '../../../engine/loop.ts';
import type { Policy } from '../../../engine/ports.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { limits } from '../../../shared/experiment/limits.ts';
import type { Finding } from '../contract.ts';
import { count } from './words.ts';
import { trainsEnvironment } from '../../../shared/experiment/trains.ts';

type Facts = Pick<Finding, 'severity' | 'message' | 'remedy' | 'field'>;

/** Capabilities that one policy should have and lacks. */
export function misfits(experiment: Experiment, role: 'agent' | 'environment', policy: Policy): Facts[] {
  const { capabilities } = policy;
  const trains = role === 'agent' ? experiment.agent.train : trainsEnvironment(experiment);
  return [
    ...(trains ? untrainable(experiment, role, policy) : []),
    ...tooLong(experiment, role, capabilities.maxContext),
  ];
}

function untrainable({ agent }: Experiment, role: 'agent' | 'environment', policy: Policy): Facts[] {
  const field = `endpoints.${role}.kind`;
  // The settings of a job were checked when the endpoint was opened.
  if (policy.capabilities.mode === 'batch') return [];
  try {
    trainable({ policy }, role);
  } catch (error) {
    if (!LoopError.is(error, 'not-trainable')) throw error;
    return [{ severity: 'error', message: error.message, remedy: '', field }];
  }
  const needed = role === 'agent' ? agent.loss : 'cross_entropy';
  if (policy.capabilities.losses.includes(needed)) return [];
  return [
    {
      severity: 'error',
      message: `The ${role}'s endpoint cannot train with the loss "${needed}".`,
      remedy: `It can with ${policy.capabilities.losses.join(', ')}.`,
      field: role === 'agent' ? 'agent.loss' : field,
    },
  ];
}

function tooLong({ rollouts, generation, endpoints }: Experiment, role: 'agent' | 'environment', context: number) {
  const [field, wanted] =
    role === 'agent' ? ['rollouts.maxTokens', rollouts.maxTokens] : ['generation.maxTokens', generation.maxTokens];
  // Facts known without opening the endpoint were reported with the experiment already.
  if (wanted < context || limits.context(endpoints[role]) === context) return [];
  const message = `${field} = ${count(wanted)}, but the ${role}'s endpoint holds ${count(context)} tokens, prompt included.`;
  // The embedded endpoint cuts long texts; a server refuses the request.
  const severity = endpoints[role].kind === 'embedded' ? 'warning' : 'error';
  return [{ severity, message, remedy: `Lower ${field} so that the prompt fits too.`, field } satisfies Facts];
}

/** `embedded, steps of training, context 256`: an endpoint in a few words. */
export function describe(experiment: Experiment, role: 'agent' | 'environment', { capabilities }: Policy): string {
  const training = { step: 'trains step by step', batch: 'trains in jobs', frozen: 'only samples' };
  const { kind } = experiment.endpoints[role];
  return `${role} ${kind} (${training[capabilities.mode]}, context ${count(capabilities.maxContext)} tokens)`;
}
