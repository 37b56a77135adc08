import type { Capabilities } from '../../engine/ports.ts';
import type { ModelConfig } from './model/config.ts';

/** The embedded endpoint's capabilities with a model. */
export const capabilitiesOf = ({ context }: Pick<ModelConfig, 'context'>): Capabilities => ({
  mode: 'step',
  losses: ['cross_entropy', 'importance_sampling', 'ppo', 'cispo'],
  score: true,
  reduction: 'sum',
  ...{ maxContext: context, longest: context },
  concurrency: 1024,
  deterministic: true,
});
