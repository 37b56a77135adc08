/** Hydra's overrides as the stand-in trainer reads them: what it does not know it refuses, as Hydra does. */

const known = new Set([
  ...['algorithm.adv_estimator', 'algorithm.norm_adv_by_std_in_grpo', 'algorithm.use_kl_in_reward'],
  ...['data.train_files', 'data.val_files', 'data.train_batch_size', 'data.max_prompt_length'],
  ...['data.max_response_length', 'data.truncation', 'data.shuffle', 'data.seed', 'data.messages_key'],
  ...['data.max_length', 'data.use_dynamic_bsz', 'data.max_token_len_per_gpu', 'data.filter_overlong_prompts'],
  ...models('actor_rollout_ref.model'),
  ...models('model'),
  ...actor('ppo_mini_batch_size', 'ppo_epochs', 'shuffle', 'data_loader_seed', 'use_dynamic_bsz'),
  ...actor('ppo_max_token_len_per_gpu', 'loss_agg_mode', 'entropy_coeff', 'policy_loss.loss_mode', 'clip_ratio'),
  ...actor('clip_ratio_low', 'clip_ratio_high', 'clip_ratio_c', 'use_kl_loss', 'kl_loss_coef', 'kl_loss_type'),
  ...actor('grad_clip', 'checkpoint.save_contents'),
  ...optimiser('actor_rollout_ref.actor.optim'),
  ...optimiser('optim'),
  'checkpoint.save_contents',
  ...['name', 'n', 'temperature', 'top_p', 'top_k', 'load_format', 'tensor_model_parallel_size']
    .concat('gpu_memory_utilization')
    .map((name) => `actor_rollout_ref.rollout.${name}`),
  ...['path', 'name'].map((name) => `reward.custom_reward_function.${name}`),
  ...['rollout_data_dir', 'val_before_train', 'project_name', 'experiment_name', 'logger', 'default_local_dir']
    .concat('resume_mode', 'total_epochs', 'test_freq', 'nnodes', 'n_gpus_per_node', 'save_freq', 'seed')
    .map((name) => `trainer.${name}`),
]);

function models(prefix: string): string[] {
  return ['path', 'lora_rank', 'lora_alpha', 'target_modules', 'lora_adapter_path'].map((name) => `${prefix}.${name}`);
}

function actor(...names: string[]): string[] {
  return names.map((name) => `actor_rollout_ref.actor.${name}`);
}

function optimiser(prefix: string): string[] {
  const names = ['lr', 'lr_scheduler_type', 'lr_warmup_steps', 'betas', 'weight_decay', 'clip_grad'];
  return [...names, 'override_optimizer_config'].map((name) => `${prefix}.${name}`);
}

export class Overrides {
  readonly #values: ReadonlyMap<string, string>;

  /** @throws Error in Hydra's words for a key that is not there */
  constructor(words: readonly string[]) {
    this.#values = new Map(
      words.map((word) => {
        const [, plus = '', key = '', value = ''] = /^(\+*)([\w./@-]+)=(.*)$/s.exec(word) ?? [];
        if (key === '') throw new Error(`Error parsing override '${word}'`);
        if (plus === '' && !known.has(key))
          throw new Error(`Could not override '${key}'.\nKey '${key}' is not in struct`);
        return [key, value];
      }),
    );
  }

  text(key: string): string {
    const value = this.#values.get(key);
    if (value === undefined) throw new Error(`Missing mandatory value: ${key}`);
    return /^'.*'$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
  }

  number(key: string): number {
    const value = Number(this.text(key));
    if (!Number.isFinite(value))
      throw new Error(`Value '${this.text(key)}' of '${key}' could not be converted to Float`);
    return value;
  }

  flag(key: string): boolean {
    return this.text(key) === 'true';
  }

  list(key: string): string[] {
    return this.text(key)
      .replace(/^\[(.*)\]$/, '$1')
      .split(',');
  }
}
