/** One OpenAI-compatible server, or several that are replicas of it: what they are asked, and what their answers say. */
import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { toolText } from '../../shared/rewards/toolCalls.ts';
import { EndpointError } from '../endpointError.ts';
import type { Call, Connection } from './connection.ts';
import type { Dialect } from './dialect.ts';
import { chatForm, completionForm, scoreForm, type Ask } from './forms.ts';
import { apart } from '../../shared/text/thoughts.ts';
import { endOf } from './ended.ts';
import { endedText } from '../tokens/stopTexts.ts';
import { asStream, whole } from './stream/streamed.ts';
import { chatSchema, completionSchema, type ChatAnswer, type CompletionAnswer } from './wire.ts';

export interface Answer {
  text: string;
  reasoning?: string;
  /** From a text on that was to end it: servers differ in whether they leave it out. No part of the text. */
  pastStop?: string;
  /** How many calls of tools the server itself found in it. */
  calls: number;
  promptTokens: readonly number[];
  /** Tokens of the prompt by the server's own count, which is sent once: of several answers its share; null where it does not say. */
  promptCount: number | null;
  /** Tokens of the answer by the same count, of several answers its share; null where it does not say. */
  answerCount: number | null;
  tokens: readonly number[];
  logprobs: readonly number[];
  /** Logprobs of the likeliest tokens at each place of `logprobs`, where they were asked for; empty where none came. */
  likeliest?: readonly (readonly number[])[];
  /** `stop`, `length`, or whatever else kept the server from finishing. */
  ended: string;
}

interface Expected<T> {
  schema: z.ZodType<T>;
  /** A further fault of an answer, in words; null where there is none. */
  wrong: (answer: T) => string | null;
  /** Tokens that it may have. */
  tokens: number;
  signal: AbortSignal;
}

interface PromptIds {
  ids: readonly number[];
  /** Ids that end an answer. */
  stop: readonly number[];
  /** Whether it opened a thought; absent: it did not. */
  opened?: boolean;
  decode(ids: readonly number[]): string;
}

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
  async chat(replica: number, asked: Ask, told: boolean, signal: AbortSignal): Promise<Answer[]> {
    const form = chatForm(asked, this.model, this.dialect, told);
    const wrong = ({ choices, prompt_token_ids: prompt }: ChatAnswer) => {
      if (!told) return null;
      const missing = choices.some((choice) => (prompt ?? choice.prompt_token_ids ?? []).length === 0);
      if (missing) return l10n.t('the prompt has no token ids');
      return fault(choices.map((choice) => ({ ids: choice.token_ids, logprobs: logprobsOf(choice) })));
    };
    const call: Call = ({ chat: { completions } }, streamed) =>
      streamed ? whole(completions.create({ ...form, ...asStream })) : completions.create(form);
    const { choices, usage, prompt_token_ids } = await this.#ask(replica, call, {
      ...{ schema: chatSchema, wrong, tokens: asked.maxTokens, signal },
    });
    // Some servers say 0 for what they do not count.
    const written = usage?.completion_tokens || null;
    const read = usage?.prompt_tokens || null;
    return choices.map((choice, at): Answer => {
      const { content, reasoning, reasoning_content, tool_calls } = choice.message;
      const calls = (tool_calls ?? []).map((one) => toolText(one.function));
      const said = endedText(content ?? '', asked.stop);
      const pastStop = (content ?? '').slice(said.length);
      return {
        ...(pastStop !== '' && { pastStop }),
        ...apart([said, ...calls].filter(Boolean).join('\n'), reasoning ?? reasoning_content),
        calls: calls.length,
        promptTokens: prompt_token_ids ?? choice.prompt_token_ids ?? [],
        promptCount: read === null ? null : shareOf(read, choices.length, at),
        answerCount: written === null ? null : shareOf(written, choices.length, at),
        tokens: choice.token_ids ?? [],
        logprobs: logprobsOf(choice),
        ...(asked.likeliest !== undefined && { likeliest: likeliestOf(choice) }),
        // A count of several answers together is the length of none.
        ended: endOf(choice.finish_reason, lengthOf(choice, choices.length === 1 ? written : null), asked.maxTokens),
      };
    });
  }

  /** By token ids, which `decode` makes text of. */
  async complete(replica: number, asked: Ask, prompt: PromptIds, signal: AbortSignal): Promise<Answer[]> {
    const form = completionForm(asked, this.model, this.dialect, prompt);
    const wrong = ({ choices }: CompletionAnswer) =>
      fault(choices.map((choice) => ({ ids: idsOf(choice), logprobs: choice.logprobs?.token_logprobs })));
    const call: Call = ({ completions }, streamed) =>
      streamed ? whole(completions.create({ ...form, ...asStream })) : completions.create(form);
    const { choices } = await this.#ask(replica, call, {
      ...{ schema: completionSchema, wrong, tokens: asked.maxTokens, signal },
    });
    return choices.map((choice): Answer => {
      const tokens = idsOf(choice) ?? [];
      return {
        ...{
          ...apart(prompt.decode(tokens), null, prompt.opened),
          calls: 0,
          promptTokens: prompt.ids,
          promptCount: prompt.ids.length,
          answerCount: tokens.length,
        },
        ...{ tokens, logprobs: choice.logprobs?.token_logprobs ?? [] },
        ended: endOf(choice.finish_reason, tokens.length, asked.maxTokens),
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
    const form = scoreForm(sequence, model, this.dialect);
    const read = ({ choices: [first], prompt_logprobs }: CompletionAnswer) => {
      const places = first?.prompt_logprobs ?? prompt_logprobs ?? [];
      return sequence.map((id, i) => (i === 0 ? 0 : places[i]?.[String(id)]?.logprob));
    };
    const wrong = (answer: CompletionAnswer) =>
      read(answer).includes(undefined) ? l10n.t('the prompt came back without its logprobs') : null;
    const call: Call = (client) => client.completions.create(form);
    const answer = await this.#ask(replica, call, { schema: completionSchema, wrong, tokens: 1, signal });
    return read(answer).map((value) => value ?? 0);
  }

  close(): void {
    for (const { http } of this.#connections) http.close();
  }

  #ask<T>(replica: number, call: Call, { schema, wrong, tokens, signal }: Expected<T>): Promise<T> {
    const checked = schema.superRefine((answer, context) => {
      const message = wrong(answer);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });
    return this.#at(replica).ask(call, checked, { signal, tries: this.#tries, tokens });
  }

  #at(replica: number): Connection {
    const connection = this.#connections[replica];
    if (connection === undefined) throw new Error('Unreachable: there are as many connections as replicas.');
    return connection;
  }
}

/** Whole numbers that add up to all of it. */
export const shareOf = (all: number, among: number, at: number): number =>
  Math.floor((all * (at + 1)) / among) - Math.floor((all * at) / among);

/** Tokens of a chat's answer; null where nothing counts them. */
const lengthOf = (choice: ChatAnswer['choices'][number], alone: number | null): number | null =>
  choice.token_ids?.length ?? alone ?? choice.logprobs?.content?.length ?? null;

const logprobsOf = ({ logprobs }: ChatAnswer['choices'][number]): number[] =>
  (logprobs?.content ?? []).map(({ logprob }) => logprob);

const likeliestOf = ({ logprobs }: ChatAnswer['choices'][number]): number[][] =>
  (logprobs?.content ?? []).map(({ top_logprobs }) => (top_logprobs ?? []).map(({ logprob }) => logprob));

/** Token ids as a field of their own, or in place of the tokens' texts, as servers have them that are older. */
function idsOf({ token_ids, logprobs }: CompletionAnswer['choices'][number]): readonly number[] | null | undefined {
  if (token_ids !== null && token_ids !== undefined) return token_ids;
  const ids = logprobs?.tokens?.map((token) => /^token_id:(\d+)$/.exec(token)?.[1]);
  return ids === undefined || ids.includes(undefined) ? undefined : ids.map(Number);
}

/** The fault of completions that should come with token ids, in words. */
function fault(
  completions: readonly { ids: readonly number[] | null | undefined; logprobs: readonly number[] | undefined }[],
): string | null {
  if (completions.some(({ ids }) => ids === null || ids === undefined)) return l10n.t('a completion has no token ids');
  const short = completions.some(({ ids, logprobs }) => ids?.length !== logprobs?.length);
  return short ? l10n.t('a completion has not a logprob for every token') : null;
}

/** Whether a server says that a conversation and its new tokens are more than it holds. */
export const isOverflow = (error: unknown): boolean =>
  EndpointError.is(error, 'refused') &&
  /context (length|size|window)|exceed_context|maximum context|too many tokens|too long/i.test(error.message);
