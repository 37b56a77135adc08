/** Which GPUs each server has. None is used twice, but for the only one of a small machine. */
import * as l10n from '@vscode/l10n';
import { SetupError, type BoxChoice } from '../contract.ts';
import { microBatch, parametersOf, refuseUntrainable, tensorParallel } from './modelSize.ts';

export type Server =
  | {
      kind: 'skyrl';
      name: string;
      port: number;
      gpus: readonly number[];
      backend: 'fsdp' | 'megatron';
      config: JsonLike;
    }
  | { kind: 'vllm'; name: string; port: number; gpus: readonly number[]; options: readonly string[] }
  | { kind: 'ray'; name: string; port: number; gpus: readonly number[] };

type JsonLike = Readonly<Record<string, string | number | boolean | null>>;

/** Beside vLLM's engines inside SkyRL, which take ports from 8000 on. */
const ports = { first: 8700, second: 8701, vllm: 8800, ray: 8265 };

/** @throws SetupError */
export function placeServers(choice: BoxChoice): Server[] {
  const { servers, gpus } = choice;
  if (servers === 'tinker') return [];
  if (!Number.isInteger(gpus) || gpus < 1 || gpus > 16)
    throw new SetupError(l10n.t('{0} is no number of GPUs of one machine.', gpus), 'Name 1 to 16 with --gpus.');
  const all = Array.from({ length: gpus }, (_, index) => index);
  const single = gpus === 1;
  switch (servers) {
    case 'skyrl': {
      needTwo(single, l10n.t('Two SkyRL servers'));
      const half = Math.ceil(gpus / 2);
      return [
        fsdp(choice, 'agent', ports.first, all.slice(0, half), 0.8),
        fsdp(choice, 'environment', ports.second, all.slice(half), 0.8),
      ];
    }
    case 'skyrl-megatron':
      needTwo(single, l10n.t('Megatron with several adapters, which trains and samples on different GPUs,'));
      return [megatron(choice, all)];
    case 'frozen': {
      const writers = writersOf(gpus);
      // The server that starts first takes its share of a shared GPU, and the other the rest.
      const [trains, writes] = single ? [all, all] : [all.slice(0, gpus - writers), all.slice(gpus - writers)];
      return [
        vllm(choice, writes, single ? 0.3 : 0.9, []),
        fsdp(choice, 'agent', ports.first, trains, single ? 0.4 : 0.8),
      ];
    }
    case 'verl': {
      needTwo(single, l10n.t('verl, with a vLLM beside it,'));
      const trains = trainerGpus(choice);
      const samples = all.slice(trains.length, trains.length + powerBelow(gpus - trains.length));
      const adapters = ['--enable-lora', '--max-lora-rank', '64', '--max-loras', '4'];
      // Over SSH each job starts its own Ray.
      const ray: Server[] = choice.host === null ? [{ kind: 'ray', name: 'ray', port: ports.ray, gpus: trains }] : [];
      return [...ray, vllm(choice, samples, 0.9, adapters)];
    }
  }
}

/** The largest power of two: over as many GPUs a model and a batch divide. */
const powerBelow = (count: number): number => 2 ** Math.floor(Math.log2(count));

/** About a quarter of the GPUs. */
const writersOf = (gpus: number): number => powerBelow(Math.max(1, gpus / 4));

/** GPUs that verl's jobs take. */
export const trainerGpus = ({ gpus }: BoxChoice): number[] =>
  Array.from({ length: powerBelow(gpus - 1) }, (_, index) => index);

function needTwo(single: boolean, what: string): void {
  if (!single) return;
  throw new SetupError(
    l10n.t('{0} need at least two GPUs.', what),
    l10n.t(
      'With one GPU choose "frozen": SkyRL trains the agent, and an untrained vLLM on the same GPU writes the tasks.',
    ),
  );
}

function fsdp(choice: BoxChoice, name: string, port: number, gpus: readonly number[], share: number): Server {
  const billions = parametersOf(choice);
  const spread = tensorParallel(billions, share * choice.memory, gpus.length);
  // On a GPU shared with a vLLM, SkyRL gets the rest.
  const own = choice.memory * (share < 0.5 ? 0.7 : 1);
  refuseUntrainable(billions, own, gpus.length, true);
  const batch = microBatch(billions, own, gpus.length);
  return {
    kind: 'skyrl',
    name,
    port,
    gpus,
    backend: 'fsdp',
    config: {
      'trainer.placement.colocate_all': true,
      'trainer.placement.policy_num_gpus_per_node': gpus.length,
      'trainer.micro_forward_batch_size_per_gpu': batch,
      'trainer.micro_train_batch_size_per_gpu': batch,
      // Two servers of one machine would write each other's adapters into SkyRL's default folder.
      'trainer.policy.model.lora.lora_sync_path': `/tmp/skyrl_lora_sync_${name}`,
      'generator.inference_engine.num_engines': gpus.length / spread,
      'generator.inference_engine.tensor_parallel_size': spread,
      'generator.inference_engine.gpu_memory_utilization': share,
    },
  };
}

function megatron(choice: BoxChoice, all: readonly number[]): Server {
  const billions = parametersOf(choice);
  const trained = Math.floor(all.length / 2);
  const sampled = all.length - trained;
  const spread = tensorParallel(billions, choice.memory, sampled);
  refuseUntrainable(billions, choice.memory, trained, false);
  const batch = microBatch(billions, choice.memory, 1);
  return {
    kind: 'skyrl',
    name: 'skyrl',
    port: ports.first,
    gpus: all,
    backend: 'megatron',
    config: {
      'trainer.placement.colocate_all': false,
      'trainer.placement.policy_num_gpus_per_node': trained,
      'trainer.policy.megatron_config.tensor_model_parallel_size': 1,
      'trainer.policy.megatron_config.pipeline_model_parallel_size': 1,
      'trainer.policy.megatron_config.lora_config.merge_lora': false,
      // Two policies, and one adapter in reserve: a check's, or the one that a checkpoint is read back into.
      'trainer.policy.model.lora.max_loras': 3,
      'trainer.policy.model.lora.max_cpu_loras': 3,
      'trainer.micro_forward_batch_size_per_gpu': batch,
      'trainer.micro_train_batch_size_per_gpu': batch,
      'trainer.logprobs_chunk_size': null,
      'generator.inference_engine.num_engines': sampled / spread,
      'generator.inference_engine.tensor_parallel_size': spread,
    },
  };
}

function vllm(choice: BoxChoice, gpus: readonly number[], share: number, more: readonly string[]): Server {
  // One engine over all its GPUs: adapters that are loaded while it runs reach every part of it.
  tensorParallel(parametersOf(choice), share * choice.memory, gpus.length);
  return {
    kind: 'vllm',
    name: 'vllm',
    port: ports.vllm,
    gpus,
    options: [...['--tensor-parallel-size', `${gpus.length}`], ...['--gpu-memory-utilization', `${share}`], ...more],
  };
}
