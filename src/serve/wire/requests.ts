/** Bodies of the protocol's calls (§3, §4, §6–§8, §10). Fields that do not change the answer are passed over. */
import * as z from 'zod';

const seq = z.int().nonnegative();
/** A number of a model's own counter, which begins at 1. */
const modelSeq = z.int().positive().nullish();
const metadata = z.record(z.string(), z.string()).nullish();

export const createSessionSchema = z.object({ tags: z.array(z.string()).nullish() });

export const heartbeatSchema = z.object({ session_id: z.string() });

export const createModelSchema = z.object({
  session_id: z.string(),
  model_seq_id: seq,
  base_model: z.string(),
  user_metadata: metadata,
  lora_config: z
    .object({
      rank: z.int().nonnegative(),
      train_unembed: z.boolean().default(true),
      train_mlp: z.boolean().default(true),
      train_attn: z.boolean().default(true),
    })
    .nullish(),
});
export type CreateModel = z.infer<typeof createModelSchema>;

export const modelIdSchema = z.object({ model_id: z.string() });

export const optimStepSchema = z.object({
  model_id: z.string(),
  seq_id: modelSeq,
  adam_params: z.object({
    learning_rate: z.number().nonnegative().default(1e-4),
    beta1: z.number().min(0).lt(1).default(0.9),
    beta2: z.number().min(0).lt(1).default(0.95),
    eps: z.number().positive().default(1e-12),
    weight_decay: z.number().nonnegative().default(0),
    grad_clip_norm: z.number().nonnegative().default(0),
  }),
});

const ttl = z.int().positive().nullish();

export const saveWeightsSchema = z.object({
  model_id: z.string(),
  seq_id: modelSeq,
  path: z.string().nullish(),
  ttl_seconds: ttl,
  overwrite: z.boolean().nullish(),
});

export const saveForSamplerSchema = saveWeightsSchema.extend({ sampling_session_seq_id: seq.nullish() });

const loadFields = { path: z.string(), optimizer: z.boolean(), weights_access_token: z.string().nullish() };

/** Into an existing model, or into a new one that the checkpoint describes. */
export const loadWeightsSchema = z.union([
  z.object({ model_id: z.string(), seq_id: modelSeq, ...loadFields }),
  z.object({
    session_id: z.string(),
    model_seq_id: seq,
    base_model: z.string().nullish(),
    user_metadata: metadata,
    ...loadFields,
  }),
]);

export const weightsInfoSchema = z.object({ tinker_path: z.string() });

export const createSamplingSessionSchema = z
  .object({
    session_id: z.string(),
    sampling_session_seq_id: seq,
    base_model: z.string().nullish(),
    model_path: z.string().nullish(),
  })
  .refine(({ base_model, model_path }) => (base_model ?? null) !== null || (model_path ?? null) !== null, {
    error: 'base_model or model_path is needed',
  });

export const retrieveFutureSchema = z.object({
  request_id: z.coerce.string(),
  allow_metadata_only: z.boolean().nullish(),
});

export const expiresSchema = z.object({ ttl_seconds: z.int().positive().nullable() });

export const telemetrySchema = z.object({ events: z.array(z.unknown()).max(100) });
