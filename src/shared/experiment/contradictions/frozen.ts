/** Training asked of endpoints that only sample. */
import * as l10n from '@vscode/l10n';
import type { Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

export const frozenEnvironment: Check = ({ mode, endpoints, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || endpoints.environment.kind !== 'openai') return null;
  return {
    fields: ['mode', 'endpoints.environment.kind'],
    message: l10n.t('Mode "coevolve" trains the environment, but an endpoint of kind "openai" only samples.'),
    remedy: l10n.t(
      'Choose mode "random", "static" or "release", which leave the environment as it is, or an endpoint that trains.',
    ),
    severity: 'error',
  };
};

export const frozenAgent: Check = ({ agent, endpoints }) => {
  if (!agent.train || endpoints.agent.kind !== 'openai') return null;
  return {
    fields: ['agent.train', 'endpoints.agent.kind'],
    message: l10n.t('The agent is trained (agent.train), but its endpoint of kind "openai" only samples.'),
    remedy: l10n.t('Set agent.train to false, so that the agent is only measured, or choose an endpoint that trains.'),
    severity: 'error',
  };
};
