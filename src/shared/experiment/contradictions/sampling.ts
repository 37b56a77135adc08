/** Checks of sampling against the use of the samples. */
import * as l10n from '@vscode/l10n';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Check, Contradiction } from './contradiction.ts';
import { trainsEnvironment } from '../trains.ts';

/** verl divides the logits by the temperature wherever it takes a logprob; no other trainer does. */
const tempersItself = (kind: Endpoint['kind']): boolean => kind === 'verl';

const learnedAsItself = (field: string, temperature: number, who: string): Contradiction => ({
  fields: [field],
  message: l10n.t(
    '{0} = {1}: {2} samples from another distribution than it learns as. Ratios, KLs and caps are of temperature 1 and stay exact, but the gradient takes the texts for the model’s own.',
    field,
    temperature,
    who,
  ),
  remedy: l10n.t('Use 1, as the paper’s release does, unless this is what you study.'),
  severity: 'warning',
});

export const temperedAgent: Check = ({ agent, endpoints, rollouts: { temperature } }) => {
  if (!agent.train || temperature === 1 || tempersItself(endpoints.agent.kind)) return null;
  return learnedAsItself('rollouts.temperature', temperature, l10n.t('the agent'));
};

export const temperedEnvironment: Check = ({ mode, generation: { temperature }, environment }) => {
  if (!trainsEnvironment({ mode, environment }) || temperature === 1) return null;
  return learnedAsItself('generation.temperature', temperature, l10n.t('the environment'));
};

/** Bounds of prompt and answer together that an endpoint cannot keep, as it does not count the prompt's tokens. */
export const uncountedSequence: Check = (experiment) => {
  const bounds = [
    { field: 'rollouts.maxSequence', most: experiment.rollouts.maxSequence, endpoint: experiment.endpoints.agent },
    {
      ...{ field: 'generation.maxSequence', most: experiment.generation.maxSequence },
      endpoint: experiment.endpoints.environment,
    },
  ];
  const uncounted = bounds.filter(
    ({ most, endpoint }) =>
      most !== null && (endpoint.kind === 'verl' || (endpoint.kind === 'openai' && endpoint.tokenizer === null)),
  );
  if (uncounted.length === 0) return null;
  const names = uncounted.map(({ field }) => field);
  return {
    fields: names,
    message: l10n.t(
      '{0} bound prompt and answer together, but nothing here counts the prompt’s tokens at this endpoint: only the answer is bounded.',
      names.join(' and '),
    ),
    remedy: l10n.t('Give an endpoint of kind "openai" its tokenizer, or set the bound to null and lower maxTokens.'),
    severity: 'warning',
  };
};
