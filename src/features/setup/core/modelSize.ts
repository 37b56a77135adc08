/** How large a model is, and whether GPUs hold it. */
import * as l10n from '@vscode/l10n';
import { SetupError, type BoxChoice } from '../contract.ts';

/**
 * In billions, from the choice or the model's name (`Qwen2.5-7B-Instruct`, `Qwen3-0.6B`; of `30B-A3B` all 30 are held).
 * @throws SetupError where neither says it
 */
export function parametersOf({ parameters, model }: Pick<BoxChoice, 'parameters' | 'model'>): number {
  if (parameters !== null) return parameters;
  const found = /(?<![\w.])(\d+(?:\.\d+)?)B(?![a-z])/i.exec(model.slice(model.lastIndexOf('/') + 1));
  if (found !== null) return Number(found[1]);
  throw new SetupError(
    l10n.t('The name {0} does not say how large the model is.', model),
    l10n.t('Say how many billion parameters it has: --parameters 7.'),
  );
}

/** GB of the weights in bf16: 2 bytes a parameter. */
export const weightsOf = (parameters: number): number => 2 * parameters;

/** GPUs that one inference engine is spread over: a power of two, so that weights take at most 0.6 of its memory. */
export function tensorParallel(parameters: number, memory: number, gpus: number): number {
  for (let size = 1; size <= gpus; size *= 2) {
    if (weightsOf(parameters) / size <= 0.6 * memory && gpus % size === 0) return size;
  }
  throw new SetupError(
    l10n.t(
      '{0} billion parameters take {1} GB in bf16: too much for the {2} GB that sampling gets on {3}.',
      parameters,
      weightsOf(parameters),
      Math.round(memory),
      eachOf(gpus),
    ),
    l10n.t('Take a smaller model, or more GPUs.'),
  );
}

/**
 * Sequences a GPU trains on at once: the memory left by weights (sharded) and 10 GB of buffers, at about 0.6 GB a
 * sequence of 2,000 tokens and billion parameters, with gradients of activations recomputed. An estimate: start low,
 * and raise it when it holds.
 */
export function microBatch(parameters: number, memory: number, gpus: number): number {
  const free = memory - (1.2 * weightsOf(parameters)) / gpus - 10;
  const fits = Math.floor(free / (0.6 * parameters));
  return [16, 8, 4, 2].find((size) => size <= fits) ?? 1;
}

/**
 * The trainer's side: weights over its GPUs (`sharded`; each holds them whole otherwise), and 10 GB of buffers.
 * @throws SetupError
 */
export function refuseUntrainable(parameters: number, memory: number, gpus: number, sharded: boolean): void {
  const needed = Math.ceil((1.2 * weightsOf(parameters)) / (sharded ? gpus : 1) + 10);
  if (needed <= memory) return;
  throw new SetupError(
    l10n.t(
      'Training {0} billion parameters takes about {1} GB on {2}; there are {3} GB.',
      parameters,
      needed,
      eachOf(gpus),
      memory,
    ),
    sharded
      ? l10n.t('Take a smaller model, or more GPUs.')
      : l10n.t('Take a smaller model, or the servers "skyrl", which share out the weights.'),
  );
}

const eachOf = (count: number): string => (count === 1 ? l10n.t('the one GPU') : l10n.t('each of {0}', gpusOf(count)));

export const gpusOf = (count: number): string => (count === 1 ? l10n.t('one GPU') : l10n.t('{0} GPUs', count));
