/**
 * Servers of the OpenAI form as they are documented, each with its quirks. Where a real one passes over a field that it
 * does not know, these refuse it: then a test sees that it was sent.
 */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { sendJson, TestServer, type Asked } from '../backends/httpServer.ts';
import { FakeAdapters } from './fakeAdapters.ts';

export type Kind = 'vllm' | 'sglang' | 'llama.cpp' | 'ollama';

const model = 'qwen';
/** Context of all of them, in tokens; a message has as many as it has words. */
export const context = 64;
export const slots = 2;

const common = ['model', 'messages', 'temperature', 'top_p', 'max_tokens', 'seed'];
const engine = [...common, 'n', 'top_k', 'min_p', 'repetition_penalty', 'logprobs', 'prompt', 'stop_token_ids'];
const known: Record<Kind, readonly string[]> = {
  vllm: [...engine, 'return_token_ids', 'prompt_logprobs'],
  sglang: [...engine, 'return_token_ids', 'return_prompt_token_ids'],
  'llama.cpp': [...common, 'top_k', 'min_p', 'repeat_penalty'],
  ollama: common,
};

const bodySchema = z.looseObject({
  model: z.string(),
  n: z.int().default(1),
  seed: z.int().default(0),
  max_tokens: z.int(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).optional(),
  prompt: z.union([z.string().transform((text) => text.split(' ').map((_, i) => i)), z.array(z.int())]).optional(),
  return_token_ids: z.boolean().default(false),
  prompt_logprobs: z.int().optional(),
});
export type Body = z.infer<typeof bodySchema>;

const generateSchema = z.object({
  text: z.string(),
  sampling_params: z.object({ temperature: z.number(), max_new_tokens: z.int() }),
  return_logprob: z.literal(true),
  logprob_start_len: z.literal(0),
  lora_path: z.string().optional(),
});

export class FakeServer {
  readonly bodies: Body[] = [];
  /** Most requests it had at once. */
  most = 0;
  /** Answers every completion with this status from now on. */
  broken: number | null = null;
  /** What it says, by the seed of a completion. */
  says: (seed: number) => Record<string, string> = (seed) => ({ content: `answer ${seed}` });
  readonly kind: Kind;
  /** None where they are fixed. */
  readonly adapters: FakeAdapters | null;
  #now = 0;
  #server: TestServer | null = null;

  constructor(kind: Kind) {
    this.kind = kind;
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
    const plain = this.#plain().get(path);
    if (this.adapters?.answer(response, asked) === true) return;
    if (plain !== undefined) sendJson(response, plain);
    else if (path === '/generate' && this.kind === 'sglang') this.#generate(response, body);
    else if (path === '/v1/chat/completions' || path === '/v1/completions') this.#complete(response, path, body);
    else sendJson(response, { detail: 'Not Found' }, 404);
  }

  #plain(): Map<string, unknown> {
    const models = (fields: object) => ({
      object: 'list',
      data: [{ id: model, object: 'model', ...fields }, ...(this.adapters?.models ?? [])],
    });
    const plain: Record<Kind, [string, unknown][]> = {
      vllm: [['/v1/models', models({ owned_by: 'vllm', max_model_len: context })]],
      sglang: [
        ['/v1/models', models({ owned_by: 'somebody', max_model_len: context })],
        ['/get_model_info', { model_path: model, is_generation: true }],
      ],
      'llama.cpp': [
        ['/v1/models', models({ owned_by: 'llamacpp', meta: { n_ctx_train: 32768 } })],
        ['/props', { total_slots: slots, default_generation_settings: { n_ctx: context } }],
      ],
      ollama: [
        ['/v1/models', { object: 'list', data: [{ id: `${model}:latest`, object: 'model', owned_by: 'library' }] }],
        ['/api/version', { version: '0.12.0' }],
        ['/api/ps', { models: [{ name: `${model}:latest`, context_length: context }] }],
      ],
    };
    return new Map(plain[this.kind]);
  }

  #complete(response: ServerResponse, path: string, text: string): void {
    const body = bodySchema.parse(JSON.parse(text));
    this.bodies.push(body);
    const unknown = Object.keys(body).filter((name) => !known[this.kind].includes(name) && !(name in defaults));
    const size = body.prompt?.length ?? (body.messages ?? []).flatMap(({ content }) => content.split(' ')).length;
    if (this.broken !== null) this.#refuse(response, this.broken, 'CUDA error');
    else if (this.#moves(body.model) === null) this.#refuse(response, 404, `The model does not exist.`);
    else if (unknown.length > 0) this.#refuse(response, 400, `unknown fields ${unknown.join(', ')}`);
    else if (size + body.max_tokens > context && this.kind !== 'ollama') {
      this.#refuse(response, 400, `This model's maximum context length is ${context} tokens.`);
    } else {
      this.#now += 1;
      this.most = Math.max(this.most, this.#now);
      setTimeout(() => {
        this.#now -= 1;
        sendJson(response, path === '/v1/completions' ? this.#raw(body) : this.#chat(body, size));
      }, 5);
    }
  }

  #refuse(response: ServerResponse, status: number, message: string): void {
    const inner = { message, type: 'BadRequestError', param: null, code: status };
    sendJson(response, this.kind === 'sglang' ? { object: 'error', ...inner } : { error: inner }, status);
  }

  /** Each completion's own seed: on SGLang they share it, and Ollama never makes more than one. */
  #seeds({ n, seed }: Body): number[] {
    const several = this.kind === 'ollama' ? 1 : n;
    return Array.from({ length: several }, (_, i) => (this.kind === 'vllm' ? seed + i : seed));
  }

  #chat(body: Body, size: number): unknown {
    return {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model },
      choices: this.#seeds(body).map((seed, index) => ({
        ...{ index, message: { role: 'assistant', ...this.says(seed) }, finish_reason: 'stop' },
        logprobs: body['logprobs'] === true ? { content: [{ token: 'a', logprob: -0.5 }] } : null,
        ...(body.return_token_ids ? { token_ids: [seed % 100] } : {}),
      })),
      ...(body.return_token_ids ? { prompt_token_ids: Array.from({ length: size }, (_, i) => i) } : {}),
    };
  }

  #raw(body: Body): unknown {
    const prompt = body.prompt ?? [];
    const told =
      body.prompt_logprobs === undefined
        ? null
        : prompt.map((id, i) => this.#scored(id, i, this.#moves(body.model) ?? 0));
    return {
      ...{ id: 'cmpl-1', object: 'text_completion', model },
      choices: this.#seeds({ ...body, seed: body.seed }).map((_seed, index) => ({
        ...{ index, text: 'hi', finish_reason: 'stop', prompt_logprobs: told },
        ...(body.return_token_ids
          ? { token_ids: [104, 105], logprobs: { token_logprobs: [-0.25, -0.5] }, prompt_token_ids: prompt }
          : {}),
      })),
    };
  }

  /** The prompt's own token stands beside a likelier one. */
  #scored(id: number, i: number, moves: number): unknown {
    return i === 0 ? null : { 1: { logprob: -0.01, rank: 1 }, [id]: { logprob: -i - moves, rank: 2 } };
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

  /** Null for a model that it does not have. */
  #moves(name: string): number | null {
    return name === model ? 0 : (this.adapters?.moves(name) ?? null);
  }
}

/** What the schema fills in where nothing was sent. */
const defaults = { n: 1, seed: 0, return_token_ids: false };
