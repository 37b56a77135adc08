/** Whether the endpoints can do the experiment's work. */
import * as l10n from '@vscode/l10n';
import { LoopError } from '../../../engine/errors.ts';
import { trainable } from '../../../engine/loop.ts';
import type { Policy } from '../../../engine/ports.ts';
import type { Experiment } from '../../../shared/experiment/schema.ts';
import { limits } from '../../../shared/experiment/limits.ts';
import type { Finding } from '../contract.ts';
import { trainsEnvironment } from '../../../shared/experiment/trains.ts';
import { count } from '../../../shared/text/figures/numbers.ts';

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
      message:
        role === 'agent'
          ? l10n.t('The agent\'s endpoint cannot train with the loss "{0}".', needed)
          : l10n.t('The environment\'s endpoint cannot train with the loss "{0}".', needed),
      remedy: l10n.t('It can with {0}.', policy.capabilities.losses.join(', ')),
      field: role === 'agent' ? 'agent.loss' : field,
    },
  ];
}

function tooLong({ rollouts, generation, endpoints }: Experiment, role: 'agent' | 'environment', context: number) {
  const [field, wanted] =
    role === 'agent' ? ['rollouts.maxTokens', rollouts.maxTokens] : ['generation.maxTokens', generation.maxTokens];
  // Facts known without opening the endpoint were reported with the experiment already.
  if (wanted < context || limits.context(endpoints[role]) === context) return [];
  const sizes = [field, count(wanted), count(context)];
  const message =
    role === 'agent'
      ? l10n.t("{0} = {1}, but the agent's endpoint holds {2} tokens, prompt included.", ...sizes)
      : l10n.t("{0} = {1}, but the environment's endpoint holds {2} tokens, prompt included.", ...sizes);
  // The embedded endpoint cuts long texts; a server refuses the request.
  const severity = endpoints[role].kind === 'embedded' ? 'warning' : 'error';
  return [
    { severity, message, remedy: l10n.t('Lower {0} so that the prompt fits too.', field), field } satisfies Facts,
  ];
}

/** `embedded, steps of training, context 256`: an endpoint in a few words. */
export function describe(experiment: Experiment, role: 'agent' | 'environment', { capabilities }: Policy): string {
  const training = {
    step: l10n.t('trains step by step'),
    batch: l10n.t('trains in jobs'),
    frozen: l10n.t('only samples'),
  };
  const { kind } = experiment.endpoints[role];
  const facts = [kind, training[capabilities.mode], count(capabilities.maxContext)];
  return role === 'agent'
    ? l10n.t('agent {0} ({1}, context {2} tokens)', ...facts)
    : l10n.t('environment {0} ({1}, context {2} tokens)', ...facts);
}
