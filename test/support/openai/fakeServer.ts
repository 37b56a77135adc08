/**
 * Servers of the OpenAI form as they are documented, each with its quirks. Where a real one passes over a field that it
 * does not know, these refuse it: then a test sees that it was sent.
 */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Message } from '../../../src/shared/records/message.ts';
import { sendJson, TestServer, type Asked } from '../endpoints/httpServer.ts';
import { bodySchema, generateSchema, schemaIn, type Body } from './bodies.ts';
import { Rng } from '../../../src/engine/random.ts';
import { draw, type Cutting, type Model } from './drawing.ts';
import { FakeAdapters } from './fakeAdapters.ts';
import { eventsOf } from './streamedAnswer.ts';
import { model, quirks, slots, type Kind, type Quirks } from './quirks.ts';

export { slots, type Kind };

/** Context of all of them, in tokens; a message has as many as it has words. */
export const context = 64;

export class FakeServer {
  readonly bodies: Body[] = [];
  /** Most requests it had at once. */
  most = 0;
  /** Answers every completion with this status from now on. */
  broken: number | null = null;
  /** Stands behind a proxy that does not wait for whole answers. */
  impatient = false;
  /** Milliseconds that it does wait. */
  waits = 20;
  /** Passes over it when a stream is asked for. */
  deaf = false;
  /** The part of its events that it streams. */
  streams: (events: string) => string = (events) => events;
  /** Its answers, by the seed of a completion and the request. */
  says: (seed: number, body: Body) => Record<string, string> = (seed) => ({ content: `answer ${seed}` });
  /** Prompt and completion, in tokens. */
  context = context;
  /** Its treatment of tools; `says`: calls are in its scripted texts. */
  tools: 'calls' | 'says' | 'refuses' | 'passes over' = 'calls';
  /** Answers as a schema has it when asked in one of these ways; passes over the others. */
  shapes: readonly string[] = ['response_format'];
  /** Is older: has token ids in place of the tokens' texts, and none of the prompt. */
  older = false;
  /** Its chat template and tokenizer; a token a word without. */
  renders: ((messages: readonly Message[]) => readonly number[]) | null = null;
  /** Its completions of a prompt of ids, by the seed. */
  writes: (seed: number) => readonly number[] = () => [104, 105];
  /** Logprob of a token that it wrote, at its place in the completion; of one that it is given, at its place in the prompt. */
  logprob: (id: number, i: number, given: boolean) => number = (_id, i, given) => (given ? -i : -(i + 1) / 4);
  /** Draws its tokens from this model, cut by what a request cannot set, `seed` too where it is given; null: as it is scripted. */
  draws: { model: Model; cutting: Cutting | null; seed?: number } | null = null;
  /** Last of a turn's ids, where a chat tells it. */
  end: number | null = null;
  /** None where they are fixed. */
  readonly adapters: FakeAdapters | null;
  readonly kind: Kind;
  readonly #quirks: Quirks;
  #now = 0;
  #server: TestServer | null = null;

  constructor(kind: Kind) {
    this.kind = kind;
    this.#quirks = quirks[kind];
    this.adapters = kind === 'vllm' || kind === 'sglang' ? new FakeAdapters(kind, model) : null;
  }

  async start(): Promise<this> {
    this.#server = await TestServer.start((response, asked) => this.#answer(response, asked));
    return this;
  }

  get url(): string {
    return `${this.#server?.url ?? ''}/v1`;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #answer(response: ServerResponse, asked: Asked): void {
    const { path, body } = asked;
    const { metrics } = this.#quirks;
    const own = this.#quirks.calls(this.context)[path];
    if (this.adapters?.answer(response, asked) === true) return;
    if (own !== undefined) sendJson(response, own);
    else if (path === '/v1/models') {
      const data = [{ object: 'model', ...this.#quirks.entry(this.context) }, ...(this.adapters?.models ?? [])];
      sendJson(response, { object: 'list', data });
    } else if (path === '/metrics' && metrics !== null) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(metrics);
    } else if (path === '/generate' && this.kind === 'sglang') this.#generate(response, body);
    else if (path === '/v1/chat/completions' || path === '/v1/completions') this.#complete(response, path, body);
    else sendJson(response, { detail: 'Not Found' }, 404);
  }

  #complete(response: ServerResponse, path: string, text: string): void {
    const { known, noTools, refusesLong } = this.#quirks;
    const given = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    const body = bodySchema.parse(given);
    this.bodies.push(body);
    const unknown = Object.keys(given).filter((name) => !known.includes(name));
    const size = body.prompt?.length ?? this.#prompt(body).length;
    if (this.broken !== null) this.#refuse(response, this.broken, 'CUDA error');
    else if (this.impatient && !body.stream) {
      const refuse = () => response.writeHead(524).end('<title>524: A timeout occurred</title>');
      setTimeout(refuse, this.waits);
    } else if (this.#moves(body.model) === null) this.#refuse(response, 404, `The model does not exist.`);
    else if (unknown.length > 0) this.#refuse(response, 400, `unknown fields ${unknown.join(', ')}`);
    else if (body.tools !== undefined && this.tools === 'refuses') {
      this.#refuse(response, noTools.status, noTools.message);
    } else if (size + body.max_tokens > this.context && refusesLong) {
      this.#refuse(response, 400, `This model's maximum context length is ${this.context} tokens.`);
    } else {
      this.#now += 1;
      this.most = Math.max(this.most, this.#now);
      setTimeout(() => {
        this.#now -= 1;
        const chat = this.draws === null ? this.#chat(body) : drawnChat(body, this.draws);
        const answer = path === '/v1/completions' ? this.#raw(body) : chat;
        if (body.stream && !this.deaf) {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(this.streams(eventsOf(answer)));
        } else sendJson(response, answer);
      }, 5);
    }
  }

  #refuse(response: ServerResponse, status: number, message: string): void {
    const inner = { message, type: 'BadRequestError', param: null, code: status };
    sendJson(response, this.#quirks.flatErrors ? { object: 'error', ...inner } : { error: inner }, status);
  }

  /** Each completion's own seed. */
  #seeds({ n, seed }: Body): number[] {
    const { seeds } = this.#quirks;
    return Array.from({ length: seeds === null ? 1 : n }, (_, i) => (seeds === 'own' ? seed + i : seed));
  }

  /** The prompt's ids; tools take part in it, unless they are passed over. */
  #prompt({ messages = [], tools = [] }: Body): readonly number[] {
    const words = messages.flatMap(({ content }) => (content ?? '').split(' '));
    const shown = this.tools === 'passes over' ? [] : tools.flatMap((tool) => JSON.stringify(tool).split('"'));
    const rendered = this.renders?.(messages.map(({ role, content }) => ({ role, content: content ?? '' })));
    return [...(rendered ?? words.map((_, i) => i)), ...shown.map((_, i) => i)];
  }

  #chat(body: Body): unknown {
    const prompt = this.#prompt(body);
    const told = body.return_token_ids && !this.older;
    return {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model },
      choices: this.#seeds(body).map((seed, index) => {
        const ids = [seed % 100, ...(this.end === null ? [] : [this.end])];
        const content = ids.map(() => ({ token: 'a', logprob: -0.5 }));
        return {
          ...{ index, ...this.#turn(body, seed) },
          logprobs: body['logprobs'] === true ? { content } : null,
          ...(told ? { token_ids: ids } : {}),
        };
      }),
      ...(told ? { prompt_token_ids: prompt } : {}),
      usage: { prompt_tokens: prompt.length, completion_tokens: 1, total_tokens: prompt.length + 1 },
    };
  }

  #turn(body: Body, seed: number): { message: Record<string, unknown>; finish_reason: string } {
    const [tool] = body.tools ?? [];
    if (tool !== undefined && this.tools === 'calls' && body.max_tokens > 1) {
      const call = { name: tool.function.name, arguments: '{"value": 7}' };
      const tool_calls = [{ id: 'call-1', type: 'function', function: call }];
      return { message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' };
    }
    const way = this.shapes.find((name) => name in body);
    const { content = '', ...rest } = this.says(seed, body);
    const said = way === undefined ? content : JSON.stringify(schemaIn(body, way));
    const stop = (body.stop ?? []).map((text) => said.indexOf(text)).filter((at) => at >= 0);
    const { thought, ...others } = rest;
    const apart = thought === undefined ? {} : { [this.#quirks.reasoning]: thought };
    const message = { role: 'assistant', content: said.slice(0, Math.min(said.length, ...stop)), ...apart, ...others };
    return { message, finish_reason: 'stop' };
  }

  #raw(body: Body): unknown {
    const prompt = body.prompt ?? [];
    const told = body.prompt_logprobs === undefined ? null : prompt.map((id, i) => this.#scored(id, i, body.model));
    return {
      ...{ id: 'cmpl-1', object: 'text_completion', model },
      choices: this.#seeds(body).map((seed, index) => {
        const ids = this.writes(seed);
        const logprobs = { token_logprobs: ids.map((id, i) => this.logprob(id, i, false)) };
        const read = this.older
          ? { logprobs: { ...logprobs, tokens: ids.map((id) => `token_id:${id}`) } }
          : { token_ids: ids, logprobs, prompt_token_ids: prompt };
        return {
          ...{ index, text: 'hi', finish_reason: 'stop', prompt_logprobs: told },
          ...(body.return_token_ids ? read : {}),
        };
      }),
    };
  }

  /** The prompt's own token stands beside a likelier one. */
  #scored(id: number, i: number, name: string): unknown {
    const own = { logprob: this.logprob(id, i, true) - (this.#moves(name) ?? 0), rank: 2 };
    return i === 0 ? null : { 1: { logprob: -0.01, rank: 1 }, [id]: own };
  }

  /** SGLang's own call: scores a text. */
  #generate(response: ServerResponse, text: string): void {
    const { text: given, lora_path } = generateSchema.parse(JSON.parse(text));
    const moves = lora_path === undefined ? 0 : this.#moves(`${model}:${lora_path}`);
    if (moves === null) this.#refuse(response, 400, `LoRA ${lora_path ?? ''} is not loaded.`);
    else {
      const scored = given.split(' ').map((_, i) => [i === 0 ? null : -i - moves, i, null]);
      sendJson(response, { text: '!', output_ids: [0], meta_info: { input_token_logprobs: scored } });
    }
  }

  /** How far a model is from the base; null for one that it does not have. */
  #moves(name: string): number | null {
    if (name === model || (this.kind === 'ollama' && name === `${model}:latest`)) return 0;
    return this.adapters?.moves(name) ?? null;
  }
}

function drawnChat(
  body: Body,
  { model: drawnFrom, cutting, seed = body.seed }: NonNullable<FakeServer['draws']>,
): unknown {
  const { max_tokens: tokens, temperature, top_logprobs: likeliest } = body;
  const drawn = draw(drawnFrom, { temperature, tokens, likeliest }, cutting, Rng.from('fake', seed));
  const content = drawn.map(({ token, logprob, likeliest: values }) => ({
    token: `w${token}`,
    logprob,
    top_logprobs: values.map((value, i) => ({ token: `likely ${i}`, logprob: value })),
  }));
  const message = { role: 'assistant', content: drawn.map(({ token }) => `w${token}`).join(' ') };
  const logprobs = body['logprobs'] === true ? { content } : null;
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', model },
    choices: [{ index: 0, message, logprobs, finish_reason: 'length' }],
    usage: { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens + 1 },
  };
}
