/**
 * A model that the server offers: shipped weights, and the facts that can be read of them without starting anything.
 */
import { setImmediate } from 'node:timers/promises';
import type { ModelConfig } from '../../endpoints/embedded/model/config.ts';
import { type KernelSource, moduleOf } from '../../endpoints/embedded/model/kernels.ts';
import { Vocabulary } from '../../endpoints/embedded/vocabulary.ts';
import { readHeader } from '../../endpoints/embedded/model/weights.ts';
import { WorkerClient } from '../../endpoints/embedded/workerClient.ts';

type ModelName = 'agent' | 'environment';

/** The files of models. */
export interface ModelFiles {
  worker: URL;
  kernels: KernelSource;
  weights: Readonly<Record<ModelName, Uint8Array>>;
}

export interface BaseModel {
  name: ModelName;
  /** `genenv/agent`. */
  id: string;
  weights: Uint8Array;
  config: ModelConfig;
  vocabulary: Vocabulary;
  /** The word that ends a completion. */
  end: string;
  /** A worker thread with these or other weights of the same shape. */
  start(weights: Uint8Array): Promise<WorkerClient>;
}

/** @throws EmbeddedError for files that are damaged */
export async function openBaseModels({ worker, kernels, weights }: ModelFiles): Promise<BaseModel[]> {
  const module = moduleOf(kernels);
  const models: BaseModel[] = [];
  for (const name of ['agent', 'environment'] as const) {
    await setImmediate();
    const { config, vocabulary, end } = readHeader(weights[name], `The ${name}'s weights`);
    const source = `genenv/${name}`;
    models.push({
      name,
      id: source,
      weights: weights[name],
      config,
      vocabulary: new Vocabulary(vocabulary, end),
      end,
      // Checkpoints are the archive's business: the worker hands the state out and writes no file.
      start: (own) => WorkerClient.start(worker, { kernels: module, weights: own, source, checkpoints: '' }),
    });
  }
  return models;
}
