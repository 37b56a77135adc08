/** The files of verl's loggers and savers. */
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { embeddedAssets } from '../../../src/endpoints/embedded/assets.ts';
import { EmbeddedPolicy } from '../../../src/endpoints/embedded/embeddedPolicy.ts';
import type { AdamParams } from '../../../src/engine/ports.ts';
import type { Overrides } from './hydra.ts';

/** Both loggers, console first; the file's place comes from the environment. */
export function track(given: Overrides, step: number, data: Readonly<Record<string, number>>): void {
  const loggers = given.list('trainer.logger');
  if (loggers.includes('console')) {
    const pairs = Object.entries(data).map(([name, value]) => ` - ${name}:${value}`);
    console.log(`(TaskRunner pid=${process.pid}) step:${step}${pairs.join('')}`);
  }
  const path = process.env['VERL_FILE_LOGGER_PATH'];
  if (loggers.includes('file') && path !== undefined) {
    appendFileSync(path, `${JSON.stringify({ step, elapsed_seconds: 1, data })}\n`);
  }
}

/** The base model of this name, or the adapter to continue from. */
export function loadModel(given: Overrides, prefix: string): Promise<EmbeddedPolicy> {
  const name = basename(given.text(`${prefix}.path`)) === 'environment' ? 'environment' : 'agent';
  const adapter = given.text(`${prefix}.lora_adapter_path`);
  if (given.number(`${prefix}.lora_rank`) < 1) throw new Error('this stand-in trains adapters only');
  // The test that begins the job has looked whether the build is new.
  const shipped = embeddedAssets(new URL('../../../dist/', import.meta.url));
  const weights =
    adapter === 'null' ? fileURLToPath(shipped.weights[name]) : join(adapter, 'adapter_model.safetensors');
  const checkpoints = given.text('trainer.default_local_dir');
  mkdirSync(checkpoints, { recursive: true });
  return EmbeddedPolicy.load({ name, weights, worker: shipped.worker, kernels: shipped.kernels, checkpoints });
}

/** `global_step_N/<inner>`, and the file that names the last. */
export async function save(given: Overrides, policy: EmbeddedPolicy, model: string, step: number, inner: string) {
  if (given.text('trainer.resume_mode') !== 'disable') throw new Error('an old checkpoint would be resumed');
  const root = given.text('trainer.default_local_dir');
  const folder = join(root, `global_step_${step}`, inner);
  mkdirSync(folder, { recursive: true });
  const { handle } = await policy.checkpoint('state');
  renameSync(join(root, handle), join(folder, 'model_world_size_1_rank_0.pt'));
  writeFileSync(join(folder, 'rank'), given.text(`${model}.lora_rank`));
  writeFileSync(join(root, 'latest_checkpointed_iteration.txt'), String(step));
}

export function adamOf(given: Overrides, prefix: string): AdamParams {
  const [beta1 = 0, beta2 = 0] = given.list(`${prefix}.betas`).map(Number);
  return {
    learningRate: given.number(`${prefix}.lr`),
    ...{ beta1, beta2, epsilon: 1e-8 },
    weightDecay: given.number(`${prefix}.weight_decay`),
    gradClipNorm: given.number(`${prefix}.clip_grad`),
  };
}
