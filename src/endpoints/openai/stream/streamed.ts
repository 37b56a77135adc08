/**
 * An answer that comes token by token, put together again as the one that comes whole. Proxies close connections on which
 * nothing comes for a minute (nginx with 504, Cloudflare after 100 s with 524), and long answers say nothing for longer.
 */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { append } from '../../../shared/append.ts';
import { parseOrUndefined } from '../../../shared/json.ts';
import { MalformedAnswer } from '../../http/httpClient.ts';
import { checked } from '../../http/json.ts';
import { unreadable } from '../written.ts';
import { callPartSchema, StreamedCalls } from './streamedCalls.ts';

/** Added to a call's form. */
export const asStream = { stream: true, stream_options: { include_usage: true } } as const;

const ids = z.array(z.int().nonnegative()).nullish();
const list = z.array(z.unknown()).nullish();
const text = z.string().nullish();

const messageSchema = z
  .object({
    content: text,
    reasoning: text,
    reasoning_content: text,
    tool_calls: z.array(callPartSchema).nullish(),
  })
  .nullish();

const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        index: z.int().nonnegative(),
        finish_reason: z.string().nullish(),
        token_ids: ids,
        prompt_token_ids: ids,
        /** Of a completion; a chat has `delta`, or `message` where it came whole. */
        text,
        delta: messageSchema,
        message: messageSchema,
        logprobs: z.object({ content: list, token_logprobs: list, tokens: list }).partial().nullish(),
      }),
    )
    .nullish(),
  prompt_token_ids: ids,
  usage: z.unknown().optional(),
  /** Ours: the stream came to its end. */
  isEnd: z.literal(true).optional(),
});
type Part = NonNullable<z.infer<typeof chunkSchema>['choices']>[number];

/** One choice, as far as it came. */
class Choice {
  readonly #texts = new Map<string, string>();
  readonly #lists = new Map<string, unknown[]>();
  readonly #calls = new StreamedCalls();
  #ended: string | null = null;

  add({ message, delta, ...part }: Part): void {
    // Some have an empty reason in every chunk.
    const reason = part.finish_reason ?? '';
    if (reason !== '') this.#ended = reason;
    const said = delta ?? message;
    const texts = { text: part.text, ...said };
    for (const name of ['text', 'content', 'reasoning', 'reasoning_content'] as const) {
      const more = texts[name];
      if (typeof more === 'string') this.#texts.set(name, (this.#texts.get(name) ?? '') + more);
    }
    const lists = { token_ids: part.token_ids, prompt_token_ids: part.prompt_token_ids, ...part.logprobs };
    for (const [name, more] of Object.entries(lists)) {
      if (Array.isArray(more)) append(this.#listOf(name), more);
    }
    this.#calls.add(said?.tool_calls ?? []);
  }

  /** @param cameToEnd the stream that it is of @throws MalformedAnswer when it did not finish */
  whole(cameToEnd: boolean): unknown {
    if (this.#ended === null && !cameToEnd) throw new MalformedAnswer(l10n.t('the stream ended before its answer did'));
    const list = (name: string) => this.#lists.get(name);
    const logprobs = { content: list('content'), token_logprobs: list('token_logprobs'), tokens: list('tokens') };
    return {
      finish_reason: this.#ended,
      token_ids: list('token_ids'),
      prompt_token_ids: list('prompt_token_ids'),
      text: this.#texts.get('text'),
      message: {
        ...Object.fromEntries(this.#texts),
        tool_calls: this.#calls.inOrder(),
      },
      logprobs: Object.values(logprobs).some((one) => one !== undefined) ? logprobs : null,
    };
  }

  #listOf(name: string): unknown[] {
    const known = this.#lists.get(name) ?? [];
    this.#lists.set(name, known);
    return known;
  }
}

/** The body of an answer that came whole although a stream was asked for, as the stream of one chunk. */
export function inOneChunk(body: Buffer): Buffer {
  const value = body.subarray(0, 64).toString().trimStart().startsWith('{')
    ? parseOrUndefined(String(body))
    : undefined;
  return value === undefined ? body : Buffer.from(`data: ${JSON.stringify(value)}\n\ndata: [DONE]\n\n`);
}

/**
 * The body of a stream with its end as a chunk of its own: the package takes `[DONE]` for itself, and some servers say in no chunk why
 * an answer ended.
 */
export function withEnd(body: Buffer): Buffer {
  const tail = body.subarray(-64);
  const at = /data: ?\[DONE\]\s*$/.exec(tail.toString('latin1'))?.index;
  if (at === undefined) return body;
  const end = body.length - tail.length + at;
  return Buffer.concat([body.subarray(0, end), Buffer.from('data: {"isEnd":true}\n\n'), body.subarray(end)]);
}

/** @throws MalformedAnswer when a chunk is none, or the end is missing */
export async function whole(stream: PromiseLike<AsyncIterable<unknown>>): Promise<unknown> {
  const choices = new Map<number, Choice>();
  let [usage, prompt]: [unknown, readonly number[] | null | undefined] = [null, null];
  let cameToEnd = false;
  for await (const chunk of await stream) {
    const { choices: parts, usage: counted, prompt_token_ids, isEnd } = checked(chunk, chunkSchema, unreadable);
    cameToEnd ||= isEnd === true;
    for (const part of parts ?? []) {
      const choice = choices.get(part.index) ?? new Choice();
      choices.set(part.index, choice);
      choice.add(part);
    }
    usage = counted ?? usage;
    prompt = prompt_token_ids ?? prompt;
  }
  return { choices: inOrder(choices).map((choice) => choice.whole(cameToEnd)), usage, prompt_token_ids: prompt };
}

const inOrder = <T>(parts: ReadonlyMap<number, T>): T[] => [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
