/**
 * Bodies of the chat and completion calls. Unsupported fields that would change the answer are refused, never ignored.
 */
import * as z from 'zod';
import { Refusal } from '../http/refusal.ts';

const stop = z.union([z.string(), z.array(z.string())]).nullish();
const count = z.int().nonnegative();

/** Settings of other servers at the value that changes nothing. */
const neutral = {
  top_p: z.literal(1, { error: 'this model samples from the whole distribution: 1' }).nullish(),
  top_k: z
    .union([z.literal(-1), z.literal(0)], { error: 'this model samples from the whole distribution: -1' })
    .nullish(),
  min_p: z.literal(0, { error: 'this model samples from the whole distribution: 0' }).nullish(),
  repetition_penalty: z.literal(1, { error: 'there are no penalties: 1' }).nullish(),
  frequency_penalty: z.literal(0, { error: 'there are no penalties: 0' }).nullish(),
  presence_penalty: z.literal(0, { error: 'there are no penalties: 0' }).nullish(),
  response_format: z.object({ type: z.literal('text', { error: 'only text is written' }) }).nullish(),
  tools: z.array(z.unknown()).max(0, { error: 'these models call no tools' }).nullish(),
  tool_choice: z.enum(['none', 'auto']).nullish(),
  user: z.string().nullish(),
  skip_special_tokens: z.boolean().nullish(),
  spaces_between_special_tokens: z.boolean().nullish(),
  add_special_tokens: z.boolean().nullish(),
  min_tokens: z.literal(0).nullish(),
  ignore_eos: z.literal(false).nullish(),
};

const common = {
  ...neutral,
  model: z.string(),
  n: z.int().min(1).max(1024).nullish(),
  seed: z.int().nonnegative().nullish(),
  temperature: z.number().nonnegative().nullish(),
  max_tokens: z.int().positive().nullish(),
  stop,
  stop_token_ids: z.array(count).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  return_token_ids: z.boolean().nullish(),
  /** Alternatives are not stored: every place has the prompt's own token. */
  prompt_logprobs: z.union([z.literal(0), z.literal(1)], { error: 'only the given token is scored: 0' }).nullish(),
};

const content = z
  .union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() })), z.null()])
  .transform((value) => (typeof value === 'string' ? value : (value ?? []).map(({ text }) => text).join(' ')));

export const chatSchema = z.strictObject({
  ...common,
  messages: z
    .array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']), content }))
    .min(1, { error: 'at least one message is needed' }),
  max_completion_tokens: z.int().positive().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.literal(0, { error: 'only the sampled token is scored: 0' }).nullish(),
});

export const completionSchema = z.strictObject({
  ...common,
  prompt: z.union([z.string(), z.array(count).min(1)]),
  logprobs: z.union([z.literal(0), z.literal(1)], { error: 'only the sampled token is scored: 0 or 1' }).nullish(),
  echo: z.literal(false).nullish(),
  best_of: z.literal(1).nullish(),
});

export type CommonBody = Omit<z.infer<typeof completionSchema>, 'prompt' | 'logprobs' | 'echo' | 'best_of'>;

/** @throws Refusal 400, as these servers have it, with the field in the first place */
export function openaiBody<T>(body: Uint8Array, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new Refusal(400, `The body is not JSON: ${String(cause)}.`);
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new Refusal(400, z.prettifyError(read.error).replaceAll('✖ ', ''));
}
