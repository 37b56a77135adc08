/** A vLLM server with LoRA hot-loading whose completions are an embedded model's, adapters and all. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import * as z from 'zod';
import { openBaseModels, type BaseModel } from '../../../src/serve/models/baseModel.ts';
import { SamplingModel, type FrozenWeights } from '../../../src/serve/models/samplingModel.ts';
import { sendJson, TestServer, type Asked } from '../endpoints/httpServer.ts';
import { dist } from '../built.ts';
import { shippedModels } from '../serve/testServer.ts';

const sampling = { n: z.int().default(1), seed: z.int().default(0), max_tokens: z.int(), temperature: z.number() };
const chatSchema = z.looseObject({
  ...{ ...sampling, model: z.string(), return_token_ids: z.boolean().default(false) },
  messages: z.array(z.looseObject({ role: z.string(), content: z.string() })),
});
const rawSchema = z.looseObject({ ...sampling, model: z.string(), prompt: z.union([z.string(), z.array(z.int())]) });
const adapterSchema = z.object({ lora_name: z.string(), lora_path: z.string().optional() });
const configSchema = z.object({ r: z.int(), lora_alpha: z.number() });

export class FakeVllm {
  /** Path by name of the adapters it has loaded. */
  readonly loaded = new Map<string, string>();
  /** Completions that each model was asked for. */
  readonly sampled = new Map<string, number>();
  readonly #base: BaseModel;
  readonly #model: SamplingModel;
  #server: TestServer | null = null;

  private constructor(base: BaseModel) {
    this.#base = base;
    this.#model = new SamplingModel(base);
  }

  /** Serves one of the shipped models under its name, `genenv/agent`. */
  static async start(name: 'agent' | 'environment'): Promise<FakeVllm> {
    const base = (await openBaseModels(shippedModels(dist))).find((one) => one.name === name);
    if (base === undefined) throw new Error(`There is no model ${name}.`);
    const server = new FakeVllm(base);
    server.#server = await TestServer.start((response, asked) => {
      server.#answer(response, asked).catch((error: unknown) => refuse(response, 500, String(error)));
    });
    return server;
  }

  get url(): string {
    return `${this.#server?.url ?? ''}/v1`;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    await this.#model.close();
  }

  async #answer(response: ServerResponse, { path, body }: Asked): Promise<void> {
    if (path === '/version') sendJson(response, { version: '0.14.1' });
    else if (path === '/v1/models') sendJson(response, { object: 'list', data: this.#models() });
    else if (path === '/v1/load_lora_adapter') await this.#load(response, adapterSchema.parse(JSON.parse(body)));
    else if (path === '/v1/unload_lora_adapter')
      this.#unload(response, adapterSchema.parse(JSON.parse(body)).lora_name);
    else if (path === '/v1/chat/completions') await this.#chat(response, chatSchema.parse(JSON.parse(body)));
    else if (path === '/v1/completions') await this.#score(response, rawSchema.parse(JSON.parse(body)));
    else sendJson(response, { detail: 'Not Found' }, 404);
  }

  #models(): object[] {
    const { id, config } = this.#base;
    const own = { id, object: 'model', owned_by: 'vllm', root: id, parent: null, max_model_len: config.context };
    const adapters = [...this.loaded].map(([name, root]) => ({ ...own, id: name, root, parent: id }));
    return [own, ...adapters];
  }

  /** The folder is read as PEFT's: without a scale the adapter changes nothing. */
  async #load(response: ServerResponse, { lora_name: name, lora_path: path = '' }: z.infer<typeof adapterSchema>) {
    if (name === '' || path === '') {
      refuse(response, 400, "Both 'lora_name' and 'lora_path' must be provided.");
      return;
    }
    if (this.loaded.has(name)) {
      refuse(response, 400, `The lora adapter '${name}' has already been loaded.`);
      return;
    }
    if (!existsSync(join(path, 'adapter_config.json')) || !existsSync(join(path, 'adapter_model.safetensors'))) {
      refuse(response, 404, `Loading lora ${name} failed: No adapter found for ${path}`);
      return;
    }
    configSchema.parse(JSON.parse(await readFile(join(path, 'adapter_config.json'), 'utf8')));
    this.loaded.set(name, path);
    plain(response, `Success: LoRA adapter '${name}' added successfully.`);
  }

  #unload(response: ServerResponse, name: string): void {
    if (this.loaded.delete(name)) plain(response, `Success: LoRA adapter '${name}' removed successfully.`);
    else refuse(response, 404, `The lora adapter '${name}' cannot be found.`);
  }

  async #weights(model: string): Promise<FrozenWeights | null> {
    if (model === this.#base.id) return { key: 'base', load: () => Promise.resolve(this.#base.weights) };
    const path = this.loaded.get(model);
    if (path === undefined) return null;
    const { lora_alpha } = configSchema.parse(JSON.parse(await readFile(join(path, 'adapter_config.json'), 'utf8')));
    if (lora_alpha === 0) return { key: 'base', load: () => Promise.resolve(this.#base.weights) };
    return { key: path, load: () => readFile(join(path, 'adapter_model.safetensors')) };
  }

  async #chat(response: ServerResponse, body: z.infer<typeof chatSchema>): Promise<void> {
    const weights = await this.#weights(body.model);
    if (weights === null) {
      refuse(response, 404, `The model \`${body.model}\` does not exist.`);
      return;
    }
    const prompt = body.messages.flatMap(({ role, content }) => this.#ids(content, role === 'assistant'));
    if (prompt.length + body.max_tokens > this.#base.config.context) {
      refuse(response, 400, `This model's maximum context length is ${this.#base.config.context} tokens.`);
      return;
    }
    this.sampled.set(body.model, (this.sampled.get(body.model) ?? 0) + body.n);
    const { sequences } = await this.#model.sample({
      ...{ weights, prompt, samples: body.n, seed: body.seed, maxTokens: body.max_tokens },
      ...{ temperature: body.temperature, tempered: false, promptLogprobs: false },
    });
    const choices = sequences.map(({ tokens, logprobs, stopReason }, index) => ({
      index,
      message: { role: 'assistant', content: this.#base.vocabulary.decode(tokens).replace(/ ?<end>$/, '') },
      finish_reason: stopReason,
      ...(body.return_token_ids ? { token_ids: tokens, logprobs: { content: logprobs.map(tokenOf) } } : {}),
    }));
    sendJson(response, {
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model: body.model, choices },
      ...(body.return_token_ids ? { prompt_token_ids: prompt } : {}),
    });
  }

  /** Logprobs of a prompt, which is all that anybody asks for here. */
  async #score(response: ServerResponse, body: z.infer<typeof rawSchema>): Promise<void> {
    const weights = await this.#weights(body.model);
    if (weights === null) {
      refuse(response, 404, `The model \`${body.model}\` does not exist.`);
      return;
    }
    const prompt = typeof body.prompt === 'string' ? this.#ids(body.prompt, false) : body.prompt;
    const asked = { samples: 1, seed: body.seed, maxTokens: 0, temperature: 1, tempered: false, promptLogprobs: true };
    const job = { weights, prompt, ...asked };
    const { promptLogprobs } = await this.#model.sample(job);
    const told = (promptLogprobs ?? []).map((logprob, i) =>
      logprob === null ? null : { [String(prompt[i])]: { logprob, rank: 1 } },
    );
    const choice = { index: 0, text: '', finish_reason: 'length', prompt_logprobs: told, prompt_token_ids: prompt };
    sendJson(response, { id: 'cmpl-1', object: 'text_completion', model: body.model, choices: [choice] });
  }

  /** Words that the model does not have are some word of its own. */
  #ids(text: string, ended: boolean): number[] {
    const { words } = this.#base.vocabulary;
    const ids = text
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => {
        const id = words.indexOf(word);
        return id >= 0 ? id : Buffer.from(word).reduce((sum, byte) => sum + byte, 0) % words.length;
      });
    return ended && words[ids.at(-1) ?? -1] !== this.#base.end ? [...ids, words.indexOf(this.#base.end)] : ids;
  }
}

const tokenOf = (logprob: number) => ({ token: 'a', logprob });

function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, { error: { message, type: 'BadRequestError', param: null, code: status } }, status);
}

function plain(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.end(text);
}
