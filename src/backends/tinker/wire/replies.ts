/** The small answers of the protocol. Unknown fields are passed over: services add them often (§2). */
import * as z from 'zod';

export const promiseSchema = z.object({ request_id: z.coerce.string() });

export const sessionSchema = z.object({
  session_id: z.string(),
  info_message: z.string().nullish(),
  warning_message: z.string().nullish(),
  error_message: z.string().nullish(),
});

export const capabilitiesSchema = z.object({
  supported_models: z
    .array(
      z.object({
        model_name: z.string().nullish(),
        max_context_length: z.int().positive().nullish(),
        /** Told by `genenv serve`; others are asked once a model is made. */
        tokenizer_id: z.string().nullish(),
      }),
    )
    .default([]),
  /** Told by `genenv serve`: the same request, seed and weights give the same answer. */
  genenv: z.object({ deterministic: z.boolean() }).nullish(),
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

export const pathSchema = z.object({ path: z.string() });

export const samplingSessionSchema = z.object({ sampling_session_id: z.string() });

export const stepSchema = z.object({ metrics: z.record(z.string(), z.number()).nullish() });

/** A future that is not there yet. */
export const tryAgainSchema = z.object({
  type: z.literal('try_again'),
  queue_state: z.string().nullish(),
  queue_state_reason: z.string().nullish(),
});

export const metadataSchema = z.object({ status: z.literal('complete_metadata') });

/** A request that failed, as the future tells it. */
export const futureErrorSchema = z.object({ error: z.string(), category: z.string().nullish() });
