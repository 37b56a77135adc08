/** Bodies of the common calls: the package's own types, and what each kind of server knows beyond them. */
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { CompletionCreateParamsNonStreaming } from 'openai/resources/completions';
import type { SampleRequest } from '../../engine/ports.ts';
import type { Dialect, IdFields, SamplingFields } from './dialect.ts';
import { shapeFields, type ShapeFields, type Shape } from './shapes.ts';
import { told } from './toolCalls.ts';

interface EngineFields extends Partial<SamplingFields>, Partial<IdFields>, ShapeFields {}

export type ChatForm = ChatCompletionCreateParamsNonStreaming & EngineFields;
export type CompletionForm = CompletionCreateParamsNonStreaming &
  EngineFields & { stop_token_ids?: number[]; prompt_logprobs?: number };

/** Completions of one request that are asked for together. */
export interface Ask {
  /** An adapter instead of the endpoint's own model. */
  model?: string | undefined;
  messages: SampleRequest['messages'];
  tools?: SampleRequest['tools'];
  n: number;
  seed: number;
  maxTokens: number;
  temperature: number;
  /** Texts that end a completion, and are no part of it. */
  stop?: readonly string[];
  /** The required shape of the answer. */
  shape?: Shape;
  /** How many of the likeliest tokens at each place are to come with their logprobs. */
  likeliest?: number;
}

/** By messages: the server renders them. Token ids and logprobs come where they are `told`. */
export function chatForm(ask: Ask, model: string, dialect: Dialect, ids: boolean): ChatForm {
  const { tools = [], shape, likeliest } = ask;
  return {
    ...sampling(ask, model, dialect),
    messages: told(ask.messages, { native: tools.length > 0, free: dialect.freeTools }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: { ...tool } })) }),
    ...(shape !== undefined && shapeFields(shape)),
    ...(likeliest !== undefined && { logprobs: true, top_logprobs: likeliest }),
    ...(ids && dialect.tokenIds !== null && { ...dialect.tokenIds, logprobs: true }),
  };
}

/** By token ids. */
export function completionForm(
  ask: Ask,
  model: string,
  dialect: Dialect,
  { ids, stop }: { ids: readonly number[]; stop: readonly number[] },
): CompletionForm {
  const rest = { prompt: [...ids], stop_token_ids: [...stop], logprobs: 1 };
  return { ...sampling(ask, model, dialect), ...rest, ...dialect.tokenIds };
}

/** Scores the given tokens; one more is sampled, because nothing less can be asked for. */
export const scoreForm = (sequence: readonly number[], model: string, { whole }: Dialect): CompletionForm => ({
  ...{ model, prompt: [...sequence], max_tokens: 1, temperature: 1, ...whole, prompt_logprobs: 0 },
});

function sampling({ model, n, seed, maxTokens, temperature, stop }: Ask, own: string, dialect: Dialect) {
  const { several, whole, maxTokens: limit } = dialect;
  return {
    ...{ model: model ?? own, temperature, seed, ...whole },
    ...(limit === 'max_tokens' ? { max_tokens: maxTokens } : { max_completion_tokens: maxTokens }),
    ...(several && { n }),
    ...(stop !== undefined && { stop: [...stop] }),
  };
}
