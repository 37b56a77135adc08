/** Answers of OpenAI-compatible servers: what is read of them. Fields that only some have are read where they stand. */
import * as z from 'zod';
import { saidArgumentsSchema } from '../../shared/rewards/toolCalls.ts';

const ids = z.array(z.int().nonnegative()).nullish();

const choice = z.object({
  finish_reason: z.string().nullish(),
  token_ids: ids,
  prompt_token_ids: ids,
});

const call = z.object({ function: z.object({ name: z.string(), arguments: saidArgumentsSchema }) });

const placeLogprobs = z.object({
  logprob: z.number(),
  /** Of the likeliest tokens, where they were asked for. */
  top_logprobs: z.array(z.object({ logprob: z.number() })).nullish(),
});

export const chatSchema = z.object({
  choices: z
    .array(
      choice.extend({
        message: z.object({
          content: z.string().nullish(),
          reasoning: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          tool_calls: z.array(call).nullish(),
        }),
        logprobs: z.object({ content: z.array(placeLogprobs).nullish() }).nullish(),
      }),
    )
    .min(1),
  prompt_token_ids: ids,
  usage: z
    .object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative().nullish() })
    .nullish()
    .catch(null),
});
export type ChatAnswer = z.infer<typeof chatSchema>;

/** Per place of a prompt: the logprobs of some tokens by their ids, the prompt's own among them. */
const promptLogprobs = z.array(z.record(z.string(), z.object({ logprob: z.number() }).optional()).nullable()).nullish();

export const completionSchema = z.object({
  choices: z
    .array(
      choice.extend({
        text: z.string(),
        logprobs: z.object({ token_logprobs: z.array(z.number()), tokens: z.array(z.string()).nullish() }).nullish(),
        prompt_logprobs: promptLogprobs,
      }),
    )
    .min(1),
  prompt_logprobs: promptLogprobs,
});
export type CompletionAnswer = z.infer<typeof completionSchema>;

export const modelsSchema = z.object({
  data: z
    .array(
      z.object({
        id: z.string(),
        owned_by: z.string().nullish(),
        max_model_len: z.int().positive().nullish(),
        /** Of an adapter: where it was loaded from, and the model it belongs to. */
        root: z.string().nullish(),
        parent: z.string().nullish(),
      }),
    )
    // Ollama's where it has none; without the field it is no such list.
    .nullable(),
});
export type ServedModel = NonNullable<z.infer<typeof modelsSchema>['data']>[number];

/** llama.cpp: what each of its slots holds. */
export const propsSchema = z.object({
  total_slots: z.int().positive().optional(),
  default_generation_settings: z.object({ n_ctx: z.int().positive().optional() }),
});

export const versionSchema = z.object({ version: z.string() });

/** SGLang. */
export const modelInfoSchema = z.object({ model_path: z.string() });

/** Ollama: the models that are loaded. */
export const loadedSchema = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.int().positive().optional() })),
});
