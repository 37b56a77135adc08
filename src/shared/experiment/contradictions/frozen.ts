/** Training asked of endpoints that only sample. */
import type { Check } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

export const frozenEnvironment: Check = ({ mode, endpoints, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || endpoints.environment.kind !== 'openai') return null;
  return {
    fields: ['mode', 'endpoints.environment.kind'],
    message: 'Mode "coevolve" trains the environment, but an endpoint of kind "openai" only samples.',
    remedy:
      'Choose mode "random", "static" or "release", which leave the environment as it is, or an endpoint that trains.',
    severity: 'error',
  };
};

export const frozenAgent: Check = ({ agent, endpoints }) => {
  if (!agent.train || endpoints.agent.kind !== 'openai') return null;
  return {
    fields: ['agent.train', 'endpoints.agent.kind'],
    message: 'The agent is trained (agent.train), but its endpoint of kind "openai" only samples.',
    remedy: 'Set agent.train to false, so that the agent is only measured, or choose an endpoint that trains.',
    severity: 'error',
  };
};
