/** An environment job as settings of `verl.trainer.sft_trainer_ray`: every row counts alike, each token of it too. */
import type { EnvironmentJob } from '../../../engine/ports.ts';
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { adamSettings, prefixed } from './agentSettings.ts';
import { checkRows } from '../batch.ts';
import type { Settings } from './hydra.ts';
import { alphaOf, trainerSettings, type Place } from './jobSettings.ts';
import { gpusOf } from './overridden.ts';
import { mostTokens } from './rows.ts';

/** Tokens that a GPU takes at once; more when one row needs it. */
const tokensOfGpu = 8_192;

/** @param adapter folder of the adapter to continue from; null: a new one */
export function environmentSettings(
  { epoch, examples, settings, seed }: EnvironmentJob,
  endpoint: VerlEndpoint,
  place: Place,
  adapter: string | null,
): Settings {
  const { model, rank, url } = endpoint;
  checkRows(examples.length, settings.minibatch, gpusOf(endpoint), { epoch, endpoint: url });
  const longest = mostTokens(examples);
  return {
    'data.train_files': place.rows,
    'data.train_batch_size': settings.minibatch,
    'data.messages_key': 'messages',
    'data.max_length': longest,
    'data.truncation': 'error',
    'data.use_dynamic_bsz': true,
    'data.max_token_len_per_gpu': Math.max(tokensOfGpu, longest),
    'model.path': model,
    'model.lora_rank': rank,
    'model.lora_alpha': alphaOf(endpoint, 'environment'),
    'model.target_modules': 'all-linear',
    'model.lora_adapter_path': adapter,
    ...prefixed('optim.', adamSettings(settings)),
    'checkpoint.save_contents': ['model'],
    ...trainerSettings(place, endpoint),
    'trainer.seed': seed,
    // The last step is saved whatever this says.
    'trainer.save_freq': -1,
  };
}
