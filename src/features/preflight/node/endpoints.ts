/** Whether the endpoints can do the experiment's work. */
import * as l10n from '@vscode/l10n';
import { LoopError } from '../../../engine/errors.ts';
import { trainable } from '../../../engine/loop.ts';
import type { Capabilities, Policy } from '../../../engine/ports.ts';
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
    ...tooLong(experiment, role, capabilities),
    ...unscored(experiment, role, capabilities),
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

function tooLong(
  { rollouts, generation, endpoints }: Experiment,
  role: 'agent' | 'environment',
  { maxContext: context, longest }: Capabilities,
): Facts[] {
  const [field, wanted] =
    role === 'agent' ? ['rollouts.maxTokens', rollouts.maxTokens] : ['generation.maxTokens', generation.maxTokens];
  // Facts known without opening the endpoint were reported with the experiment already.
  if (wanted < context || limits.context(endpoints[role]) === context) return [];
  const sizes = [field, count(wanted), count(context)];
  const message =
    role === 'agent'
      ? l10n.t("{0} = {1}, but the agent's endpoint holds {2} tokens, prompt included.", ...sizes)
      : l10n.t("{0} = {1}, but the environment's endpoint holds {2} tokens, prompt included.", ...sizes);
  // Where nothing counts a prompt's tokens, the server refuses the request.
  const severity = longest === undefined ? 'error' : 'warning';
  return [{ severity, message, remedy: l10n.t('Lower {0} so that the prompt fits too.', field), field }];
}

/** A bound past which the endpoint cuts sequences, so that it can still score them. */
function unscored(
  { rollouts, generation }: Experiment,
  role: 'agent' | 'environment',
  { maxContext, longest = maxContext }: Capabilities,
): Facts[] {
  const [field, wanted] =
    role === 'agent'
      ? ['rollouts.maxSequence', rollouts.maxSequence]
      : ['generation.maxSequence', generation.maxSequence];
  if (wanted === null || wanted <= longest || longest === maxContext) return [];
  return [
    {
      severity: 'warning',
      message: l10n.t(
        '{0} = {1} leaves no room for the one token that this endpoint samples when it scores a sequence: of its context of {2}, prompt and answer get {3}.',
        ...[field, count(wanted), count(maxContext), count(longest)],
      ),
      remedy: l10n.t('Set {0} to {1} or less; longer answers are cut there.', field, longest),
      field,
    },
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
