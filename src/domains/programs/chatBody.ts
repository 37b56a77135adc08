/**
 * Bodies of `POST /v1/chat/completions` as clients write them. The run decides how the agent is sampled: temperature,
 * seed and the like are accepted without effect. Unsupported fields that would change the answer are refused, never
 * ignored.
 */
import * as z from 'zod';
import { saidArgumentsSchema } from '../../shared/rewards/toolCalls.ts';

const part = z.looseObject({ type: z.literal('text', { error: 'the agent reads text alone' }), text: z.string() });
const content = z
  .union([z.string(), z.array(part)])
  .nullish()
  .transform((value) => (typeof value === 'string' ? value : (value ?? []).map(({ text }) => text).join('')));

const callSchema = z.looseObject({
  id: z.string(),
  function: z.looseObject({ name: z.string(), arguments: saidArgumentsSchema }),
});
export type SaidCall = z.infer<typeof callSchema>;

const messageSchema = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer', 'user']), content }),
  z.looseObject({ role: z.literal('assistant'), content, tool_calls: z.array(callSchema).nullish() }),
  z.looseObject({ role: z.literal('tool'), content, tool_call_id: z.string() }),
]);
export type SaidMessage = z.infer<typeof messageSchema>;

const toolSchema = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});

const limit = z.int().positive().nullish();

export const chatBodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(messageSchema).min(1, { error: 'at least one message is needed' }).max(100_000),
  tools: z.array(toolSchema).max(1000).nullish(),
  tool_choice: z.enum(['none', 'auto'], { error: 'the agent chooses by itself: “auto”, or “none”' }).nullish(),
  n: z.int().min(1).max(128).nullish(),
  max_tokens: limit,
  max_completion_tokens: limit,
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.literal(0, { error: 'only sampled tokens have a logprob: 0' }).nullish(),
  /** vLLM's. */
  return_token_ids: z.boolean().nullish(),
  response_format: z.looseObject({ type: z.literal('text', { error: 'the agent writes text as it likes' }) }).nullish(),
  functions: z.array(z.unknown()).max(0, { error: 'use “tools”' }).nullish(),
  logit_bias: z.record(z.string(), z.never({ error: 'the agent is sampled as it is' })).nullish(),
});
export type ChatBody = z.infer<typeof chatBodySchema>;
