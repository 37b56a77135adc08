/**
 * Overrides of settings that GenEnv reckons with: what it tells of a job follows the value that the trainer gets, and
 * overrides win.
 */
import * as l10n from '@vscode/l10n';
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { keyOf, overrideWords } from '../../../shared/experiment/endpoints/verlOverrides.ts';
import { EndpointError } from '../../endpointError.ts';

/** Settings that are whole numbers above 0, and that figures of a job are computed from. */
export const reckonedWith = [
  'data.max_response_length',
  'actor_rollout_ref.rollout.response_length',
  'actor_rollout_ref.actor.ppo_mini_batch_size',
  'actor_rollout_ref.actor.ppo_epochs',
  'actor_rollout_ref.model.lora_alpha',
  'model.lora_alpha',
  // New runs are refused with these: runs of older versions divide by them.
  'trainer.nnodes',
  'trainer.n_gpus_per_node',
] as const;

/** A person's value; null where there is none. @throws EndpointError `unable` when it is no whole number above 0 */
export function overridden(
  { overrides, url }: Pick<VerlEndpoint, 'overrides' | 'url'>,
  key: (typeof reckonedWith)[number],
): number | null {
  const word = overrideWords(overrides).findLast((one) => keyOf(one) === key);
  if (word === undefined) return null;
  const [, digits] = /^[^~=]+=(\d+)$/.exec(word) ?? [];
  const value = Number(digits);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new EndpointError('unable', l10n.t('“{0}” gives {1} no whole number above 0', word, key), {
    ...{ endpoint: url, request: 'endpoint.overrides', attempts: 0 },
    remedy: l10n.t('Write {0}=NUMBER, or remove it from the endpoint’s overrides.', key),
  });
}

/** GPUs of a job, by the settings that its trainer gets. @throws EndpointError as `overridden` */
export const gpusOf = (endpoint: VerlEndpoint): number =>
  (overridden(endpoint, 'trainer.nnodes') ?? endpoint.nodes) *
  (overridden(endpoint, 'trainer.n_gpus_per_node') ?? endpoint.gpus);
