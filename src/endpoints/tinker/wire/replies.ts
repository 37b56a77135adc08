/** The small answers of the protocol. Unknown fields are passed over: services add them often (§2). */
import * as z from 'zod';
import { semanticsSchema } from '../trainingSemantics.ts';

export const promiseSchema = z.object({ request_id: z.union([z.string(), z.number().transform(String)]) });

/** A result of which nothing is read. */
export const doneSchema = z.object({});

export const sessionSchema = z.object({
  session_id: z.string(),
  info_message: z.string().nullish(),
  warning_message: z.string().nullish(),
  error_message: z.string().nullish(),
});

export const capabilitiesSchema = z.object({
  supported_models: z.array(
    z.object({
      model_name: z.string().nullish(),
      max_context_length: z.int().positive().nullish(),
      /** Told by `genenv serve`; others are asked once a model is made. */
      tokenizer_id: z.string().nullish(),
    }),
  ),
  /** Told by `genenv serve`: that the same request, seed and weights give the same answer; how training behaves. */
  genenv: z.object({ deterministic: z.boolean(), training: semanticsSchema.nullish() }).nullish(),
});

export const modelSchema = z.object({ model_id: z.string() });

export const modelInfoSchema = z.object({
  model_id: z.string(),
  model_data: z.object({ tokenizer_id: z.string().nullish(), model_name: z.string().nullish() }).nullish(),
});

export const weightsInfoSchema = z.object({
  base_model: z.string(),
  lora_rank: z.int().nonnegative().nullish(),
});

/** A model's saves that are whole. */
export const checkpointsSchema = z.object({ checkpoints: z.array(z.object({ tinker_path: z.string() })) });

export const pathSchema = z.object({ path: z.string() });

export const samplingSessionSchema = z.object({ sampling_session_id: z.string() });

/** Any object would do otherwise, and a step whose norm was lost on the way would look like one without. */
export const stepSchema = z
  .object({ type: z.string().nullish(), metrics: z.record(z.string(), z.number()).nullish() })
  .refine(({ type, metrics }) => metrics !== undefined || type === 'optim_step', 'neither metrics nor a type');

/** Why a future is not there yet: `active`, `paused_capacity`, `paused_rate_limit`. */
export const queueWordSchema = z.object({
  queue_state: z.string().nullish(),
  queue_state_reason: z.string().nullish(),
});
export type QueueWord = z.infer<typeof queueWordSchema>;

/** A future that is not there yet. */
export const tryAgainSchema = queueWordSchema.extend({ type: z.literal('try_again') });

/** A future that is there; its result is asked for once there is room for so many bytes. */
export const metadataSchema = z.object({
  status: z.literal('complete_metadata'),
  response_payload_size: z.int().nonnegative().nullish(),
});

/** A request that failed, as the future tells it. */
export const futureErrorSchema = z.object({ error: z.string(), category: z.string().nullish() });
