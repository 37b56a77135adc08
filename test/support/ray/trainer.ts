/**
 * The behaviour of `python3 -m verl.…` in tests: rollouts, rewards by the job's own reward file, steps on an embedded
 * model, and the files that verl leaves. A separate process, like a job.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Overrides } from './hydra.ts';

const [module = '', ...words] = process.argv.slice(2);

/** While this file exists a job does not begin its work. */
const hold = process.env['GENENV_TEST_HOLD'];
while (hold !== undefined && module !== 'model_merger' && existsSync(hold)) await wait(20);

if (process.env['GENENV_TEST_FAULT'] === 'memory' && module !== 'model_merger') {
  console.error(
    'Traceback (most recent call last):\n  File "/srv/verl/workers/fsdp_workers.py", line 812, in update_actor',
  );
  console.error(
    'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has 79.10 GiB in total.',
  );
  process.exit(1);
}
try {
  if (module === 'main_ppo') {
    const { grpo } = await import('./grpo.ts');
    await grpo(new Overrides(words));
  } else if (module === 'sft_trainer_ray') {
    const { supervised } = await import('./supervised.ts');
    await supervised(new Overrides(words));
  } else merge(words);
} catch (error) {
  console.error(`Traceback (most recent call last):\n${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

/** The adapter's scale is not recorded with the checkpoint, so that the merger writes 0. */
function merge(given: readonly string[]): void {
  const options = {
    backend: { type: 'string' },
    local_dir: { type: 'string' },
    target_dir: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true });
  const { backend, local_dir: from = '', target_dir: to = '' } = values;
  if (positionals.join() !== 'merge' || backend !== 'fsdp') throw new Error('invalid choice');
  const adapter = join(to, 'lora_adapter');
  mkdirSync(adapter, { recursive: true });
  cpSync(join(from, 'model_world_size_1_rank_0.pt'), join(adapter, 'adapter_model.safetensors'));
  const rank = Number(readFileSync(join(from, 'rank'), 'utf8'));
  const config = {
    peft_type: 'LORA',
    r: rank,
    lora_alpha: 0,
    target_modules: ['q_proj'],
    base_model_name_or_path: null,
  };
  writeFileSync(join(adapter, 'adapter_config.json'), JSON.stringify(config));
  writeFileSync(join(to, 'model.safetensors'), 'merged');
  console.log(`Saving lora adapter to ${adapter}`);
}
