/** One OpenAI-compatible server, or several that are replicas of it: what they are asked, and what their answers say. */
import type * as z from 'zod';
import type { SampleRequest } from '../../engine/ports.ts';
import { EndpointError } from '../endpointError.ts';
import type { HttpClient } from '../http/httpClient.ts';
import { sendForJson } from '../http/json.ts';
import type { Dialect } from './dialect.ts';
import { apart } from './reasoning.ts';
import { chatSchema, completionSchema, type ChatAnswer, type CompletionAnswer } from './wire.ts';

export interface Connection {
  http: HttpClient;
  /** In front of the common calls. */
  api: string;
}

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
}

export interface Answer {
  text: string;
  reasoning?: string;
  promptTokens: readonly number[];
  tokens: readonly number[];
  logprobs: readonly number[];
  /** `stop`, `length`, or whatever else kept the server from finishing. */
  ended: string;
}

const stops = new Set(['stop', 'tool_calls', 'function_call', 'eos']);

export class Server {
  readonly dialect: Dialect;
  readonly model: string;
  readonly #connections: readonly Connection[];
  readonly #tries: number | undefined;

  /** @param tries how often a request is made at most; absent: as the connection does */
  constructor(connections: readonly Connection[], model: string, dialect: Dialect, tries?: number) {
    this.#connections = connections;
    this.#tries = tries;
    this.model = model;
    this.dialect = dialect;
  }

  get replicas(): number {
    return this.#connections.length;
  }

  get url(): string {
    return this.#at(0).http.url;
  }

  /** By messages: the server renders them. Token ids and logprobs come where they are `told`. */
  async chat(replica: number, ask: Ask, told: boolean, signal: AbortSignal): Promise<Answer[]> {
    const { tokenIds, freeTools } = this.dialect;
    const tools = ask.tools ?? [];
    const body = {
      ...this.#sampling(ask),
      messages: ask.messages.map(({ role, content }) => ({
        role: role === 'tool' && !freeTools ? 'user' : role,
        content,
      })),
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
      ...(told && tokenIds !== null ? { ...tokenIds, logprobs: true } : {}),
    };
    const wrong = ({ choices }: ChatAnswer) =>
      told ? fault(choices.map((choice) => ({ ids: choice.token_ids, logprobs: logprobsOf(choice) }))) : null;
    const answer = await this.#post(replica, '/chat/completions', body, chatSchema, wrong, signal);
    return answer.choices.map((choice): Answer => {
      const { content, reasoning, reasoning_content, tool_calls } = choice.message;
      const calls = (tool_calls ?? []).map((call) => toolText(call.function));
      return {
        ...apart([content ?? '', ...calls].filter(Boolean).join('\n'), reasoning ?? reasoning_content),
        promptTokens: answer.prompt_token_ids ?? choice.prompt_token_ids ?? [],
        tokens: choice.token_ids ?? [],
        logprobs: logprobsOf(choice),
        ended: endOf(choice.finish_reason),
      };
    });
  }

  /** By token ids, which `decode` makes text of. */
  async complete(
    replica: number,
    ask: Ask,
    prompt: { ids: readonly number[]; stop: readonly number[]; decode(ids: readonly number[]): string },
    signal: AbortSignal,
  ): Promise<Answer[]> {
    const body = {
      ...this.#sampling(ask),
      ...{ prompt: prompt.ids, stop_token_ids: prompt.stop, logprobs: 1, ...this.dialect.tokenIds },
    };
    const wrong = (answer: CompletionAnswer) =>
      fault(
        answer.choices.map(({ token_ids, logprobs: given }) => ({ ids: token_ids, logprobs: given?.token_logprobs })),
      );
    const { choices } = await this.#post(replica, '/completions', body, completionSchema, wrong, signal);
    return choices.map(({ token_ids, logprobs, finish_reason }): Answer => {
      const tokens = token_ids ?? [];
      return {
        ...apart(prompt.decode(tokens), null),
        ...{ promptTokens: prompt.ids, tokens, logprobs: logprobs?.token_logprobs ?? [], ended: endOf(finish_reason) },
      };
    });
  }

  /** Logprobs of a sequence of L tokens: L values, entry 0 is 0. */
  async score(
    replica: number,
    sequence: readonly number[],
    signal: AbortSignal,
    model = this.model,
  ): Promise<number[]> {
    const body = {
      ...{ model, prompt: sequence, max_tokens: 1, temperature: 1, ...this.dialect.whole },
      prompt_logprobs: 0,
    };
    const read = ({ choices: [first], prompt_logprobs }: CompletionAnswer) => {
      const places = first?.prompt_logprobs ?? prompt_logprobs ?? [];
      return sequence.map((id, i) => (i === 0 ? 0 : places[i]?.[String(id)]?.logprob));
    };
    const wrong = (answer: CompletionAnswer) =>
      read(answer).includes(undefined) ? 'the prompt came back without its logprobs' : null;
    const answer = await this.#post(replica, '/completions', body, completionSchema, wrong, signal);
    return read(answer).map((value) => value ?? 0);
  }

  close(): void {
    for (const { http } of this.#connections) http.close();
  }

  #sampling({ model = this.model, n, seed, maxTokens, temperature }: Ask): Record<string, unknown> {
    const { several, whole, maxTokens: limit } = this.dialect;
    return {
      ...{ model, [limit]: maxTokens, temperature, seed, ...whole },
      ...(several ? { n } : {}),
    };
  }

  #post<T>(
    replica: number,
    call: string,
    body: unknown,
    schema: z.ZodType<T>,
    wrong: (answer: T) => string | null,
    signal: AbortSignal,
  ): Promise<T> {
    const { http, api } = this.#at(replica);
    const checked = schema.superRefine((answer, context) => {
      const message = wrong(answer);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });
    const tries = this.#tries === undefined ? {} : { tries: this.#tries };
    return sendForJson(http, { method: 'POST', path: api + call, body, ...tries }, checked, signal);
  }

  #at(replica: number): Connection {
    const connection = this.#connections[replica];
    if (connection === undefined) throw new Error('Unreachable: there are as many connections as replicas.');
    return connection;
  }
}

const endOf = (reason: string | null | undefined): string =>
  reason === null || reason === undefined || stops.has(reason) ? 'stop' : reason;

const logprobsOf = ({ logprobs }: ChatAnswer['choices'][number]): number[] =>
  (logprobs?.content ?? []).map(({ logprob }) => logprob);

/** What is missing of completions that should come with token ids, in words. */
function fault(
  completions: readonly { ids: readonly number[] | null | undefined; logprobs: readonly number[] | undefined }[],
): string | null {
  if (completions.some(({ ids }) => ids === null || ids === undefined)) return 'a completion has no token ids';
  const short = completions.some(({ ids, logprobs }) => ids?.length !== logprobs?.length);
  return short ? 'a completion has not a logprob for every token' : null;
}

/** A call as the models that were taught so write it themselves. */
const toolText = ({ name, arguments: given }: { name: string; arguments: string }): string =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${given}}\n</tool_call>`;

/** Whether a server says that a conversation and its new tokens are more than it holds. */
export const isOverflow = (error: unknown): boolean =>
  EndpointError.is(error, 'refused') &&
  /context (length|size|window)|exceed_context|maximum context|too many tokens|too long/i.test(error.message);
