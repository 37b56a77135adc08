/** Overrides of a verl endpoint that GenEnv sets itself, because it reckons with their values or reads what they lead to. */

/** The words of `overrides`. */
export const overrideWords = (overrides: string): string[] => overrides.split(/\s+/).filter(Boolean);

/** The key that an override sets: `+a.b=1`, `++a.b=1` and `~a.b` are of `a.b`. */
export const keyOf = (override: string): string => override.replace(/^[+~]+/, '').replace(/=.*$/s, '');

/** Without these a job's results could not be found or read. */
const own = [
  'data.train_files',
  'data.train_batch_size',
  'actor_rollout_ref.rollout.n',
  'reward.custom_reward_function.path',
  'reward.custom_reward_function.name',
  'trainer.default_local_dir',
  'trainer.logger',
  'trainer.resume_mode',
  'trainer.rollout_data_dir',
  'trainer.total_epochs',
];

/** Settings that fields of the endpoint give: batches divide by them, and adapters, tokenizer and pages name them. */
const fields: ReadonlyMap<string, string> = new Map([
  ['trainer.nnodes', 'nodes'],
  ['trainer.n_gpus_per_node', 'gpus'],
  ['actor_rollout_ref.model.path', 'model'],
  ['model.path', 'model'],
  ['actor_rollout_ref.model.lora_rank', 'rank'],
  ['model.lora_rank', 'rank'],
]);

/** The first override without which no job's results could be read; null for none. */
export const ownOverride = (overrides: string): string | null =>
  overrideWords(overrides)
    .map(keyOf)
    .find((key) => own.includes(key)) ?? null;

/** The first override that stands for a field of the endpoint; null for none. */
export function overriddenField(overrides: string): { key: string; field: string } | null {
  for (const key of overrideWords(overrides).map(keyOf)) {
    const field = fields.get(key);
    if (field !== undefined) return { key, field };
  }
  return null;
}
