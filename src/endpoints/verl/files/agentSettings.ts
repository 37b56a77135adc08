/**
 * An agent job as settings of `verl.trainer.main_ppo`. The whole batch is one step of verl, so that every attempt is by
 * the weights the job begins with; its minibatches are the optimiser's steps.
 */
import type { AgentJob } from '../../../engine/ports.ts';
import type { VerlEndpoint } from '../../../shared/experiment/endpoints/endpoint.ts';
import { answerBound, agentSteps } from './agentFigures.ts';
import type { Settings } from './hydra.ts';
import { alphaOf, trainerSettings, type Place } from './jobSettings.ts';
import { mostTokens } from './rows.ts';

/** A bound that no ratio reaches: no clipping. */
const unbounded = 1e6;
/** Tokens that a GPU takes at once; more when one sequence needs it. */
const tokensOfGpu = 16_384;

/** @param adapter folder of the adapter to continue from; null: a new one */
export function agentSettings(job: AgentJob, endpoint: VerlEndpoint, place: Place, adapter: string | null): Settings {
  const { tasks, rollouts, settings } = job;
  const { model, rank } = endpoint;
  const prompt = mostTokens(tasks.map(({ messages }) => messages));
  const { group, temperature } = rollouts;
  const maxTokens = answerBound(job, endpoint);
  const { minibatch, passes } = agentSteps(job, endpoint);
  const [actor, rollout, lora] = ['actor_rollout_ref.actor', 'actor_rollout_ref.rollout', 'actor_rollout_ref.model'];
  return {
    'algorithm.adv_estimator': 'grpo',
    'algorithm.norm_adv_by_std_in_grpo': settings.advantageNorm === 'group-std',
    'algorithm.use_kl_in_reward': false,
    'data.train_files': place.rows,
    // It wants some, and never looks at them.
    'data.val_files': place.rows,
    'data.train_batch_size': tasks.length,
    'data.max_prompt_length': prompt,
    'data.max_response_length': maxTokens,
    'data.truncation': 'error',
    'data.shuffle': false,
    'data.seed': job.seed,
    [`${lora}.path`]: model,
    [`${lora}.lora_rank`]: rank,
    [`${lora}.lora_alpha`]: alphaOf(endpoint, 'agent'),
    [`${lora}.target_modules`]: 'all-linear',
    [`${lora}.lora_adapter_path`]: adapter,
    [`${actor}.ppo_mini_batch_size`]: minibatch,
    [`${actor}.ppo_epochs`]: passes,
    [`${actor}.shuffle`]: true,
    [`${actor}.data_loader_seed`]: job.seed,
    [`${actor}.use_dynamic_bsz`]: true,
    [`${actor}.ppo_max_token_len_per_gpu`]: Math.max(tokensOfGpu, prompt + maxTokens),
    [`${actor}.loss_agg_mode`]: settings.normalisation === 'token-mean' ? 'token-mean' : 'seq-mean-token-sum',
    [`${actor}.entropy_coeff`]: 0,
    ...prefixed(`${actor}.`, clipSettings(settings)),
    [`${actor}.use_kl_loss`]: settings.klCoefficient > 0,
    [`${actor}.kl_loss_coef`]: settings.klCoefficient,
    [`${actor}.kl_loss_type`]: 'low_var_kl',
    [`${actor}.grad_clip`]: settings.adam.gradClipNorm === 0 ? unbounded : settings.adam.gradClipNorm,
    ...prefixed(`${actor}.optim.`, adamSettings(settings)),
    [`${actor}.checkpoint.save_contents`]: ['model'],
    [`${rollout}.name`]: 'vllm',
    [`${rollout}.n`]: group,
    [`${rollout}.temperature`]: temperature,
    [`${rollout}.top_p`]: 1,
    [`${rollout}.top_k`]: -1,
    [`${rollout}.load_format`]: 'safetensors',
    [`${rollout}.tensor_model_parallel_size`]: 1,
    'reward.custom_reward_function.path': place.reward,
    'reward.custom_reward_function.name': 'compute_score',
    'trainer.rollout_data_dir': place.rollouts,
    'trainer.val_before_train': false,
    ...trainerSettings(place, endpoint),
    'trainer.save_freq': 1,
  };
}

/** verl's clips are distances from 1, ours are bounds; its second clip (dual-clip PPO) has no place in our losses. */
function clipSettings({ loss, clipLow, clipHigh }: AgentJob['settings']): Settings {
  const free = loss === 'importance_sampling';
  const low = free ? 1 : distance(1, clipLow);
  return {
    'policy_loss.loss_mode': loss === 'cispo' ? 'cispo' : 'vanilla',
    clip_ratio: low,
    clip_ratio_low: low,
    clip_ratio_high: free ? unbounded : distance(clipHigh, 1),
    clip_ratio_c: unbounded,
  };
}

/** Without the last digits that binary fractions leave: 1.28 − 1 is 0.28. */
const distance = (a: number, b: number): number => Number((a - b).toPrecision(12));

export function adamSettings({ learningRate, adam }: Pick<AgentJob['settings'], 'learningRate' | 'adam'>): Settings {
  const { beta1, beta2, epsilon, weightDecay, gradClipNorm } = adam;
  return {
    lr: learningRate,
    lr_scheduler_type: 'constant',
    lr_warmup_steps: 0,
    betas: [beta1, beta2],
    weight_decay: weightDecay,
    clip_grad: gradClipNorm === 0 ? unbounded : gradClipNorm,
    // PyTorch's own is 1e-8, and not every optimiser takes more arguments.
    ...(epsilon !== 1e-8 && { override_optimizer_config: { eps: epsilon } }),
  };
}

export const prefixed = (prefix: string, settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [prefix + key, value]));
