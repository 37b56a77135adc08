/** LoRA adapters of a fake server, loaded while it runs, with the words of the real ones. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { sendJson, type Asked } from '../endpoints/httpServer.ts';

const bodySchema = z.looseObject({ lora_name: z.string(), lora_path: z.string().default('') });

export class FakeAdapters {
  /** Folders on the server's disk, and how far each adapter moves a logprob. */
  readonly disk = new Map<string, number>();
  /** Path by name, in the order of loading. */
  readonly loaded = new Map<string, string>();
  /** Calls that load or unload, in order. */
  readonly asked: string[] = [];
  /** Whether it was started so that it takes adapters while it runs. */
  runtime = true;
  /** Loads, and cuts the connection instead of saying so, once. */
  loseAnswer = false;
  /** How often it still sees nothing of what is on its disk. */
  late = 0;
  /** Says that it loaded, and did not. */
  lies = false;
  /** Refuses with these words. */
  refuses: string | null = null;
  readonly #kind: 'vllm' | 'sglang';
  readonly #base: string;

  constructor(kind: 'vllm' | 'sglang', base: string) {
    this.#kind = kind;
    this.#base = base;
  }

  /** Entries of `/v1/models`. */
  get models(): object[] {
    return [...this.loaded].map(([id, root]) => ({ id, object: 'model', root, parent: this.#base }));
  }

  /** How far the adapter that a request asks for moves a logprob; null for one that is not there. */
  moves(model: string): number | null {
    const name =
      this.#kind === 'sglang' && model.startsWith(`${this.#base}:`) ? model.slice(this.#base.length + 1) : model;
    const path = this.loaded.get(name);
    return path === undefined ? null : (this.disk.get(path) ?? 0);
  }

  /** Whether the call was one of its own. */
  answer(response: ServerResponse, { path, body }: Asked): boolean {
    const call = /^(?<v1>\/v1)?\/(?<verb>load|unload)_lora_adapter$/.exec(path)?.groups;
    if (call === undefined || (call['v1'] !== undefined) !== (this.#kind === 'vllm')) return false;
    if (!this.runtime && this.#kind === 'vllm') {
      sendJson(response, { detail: 'Not Found' }, 404);
      return true;
    }
    const { lora_name: name, lora_path: from } = bodySchema.parse(JSON.parse(body));
    const verb = call['verb'] === 'load' ? 'load' : 'unload';
    if (name !== '') this.asked.push(`${verb} ${name}`);
    const refusal = verb === 'load' ? this.#load(name, from) : this.#unload(name);
    if (this.loseAnswer && verb === 'load' && name !== '') {
      this.loseAnswer = false;
      response.destroy();
    } else if (this.#kind === 'sglang') {
      const said = refusal === null ? { success: true } : { success: false, error_message: refusal.message };
      sendJson(response, { ...said, loaded_adapters: Object.fromEntries(this.loaded) }, refusal === null ? 200 : 400);
    } else if (refusal === null) {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(`Success: LoRA adapter '${name}' ${verb === 'load' ? 'added' : 'removed'} successfully.`);
    } else {
      const { status, message } = refusal;
      sendJson(response, { error: { message, type: 'BadRequestError', param: null, code: status } }, status);
    }
    return true;
  }

  #load(name: string, path: string): { status: number; message: string } | null {
    if (!this.runtime)
      return { status: 400, message: 'LoRA is not enabled. Please set `--enable-lora` to enable LoRA.' };
    if (name === '' || path === '')
      return { status: 400, message: "Both 'lora_name' and 'lora_path' must be provided." };
    if (this.refuses !== null) return { status: 400, message: this.refuses };
    if (!this.disk.has(path) || this.late-- > 0) {
      return this.#kind === 'vllm'
        ? { status: 404, message: `Loading lora ${name} failed: No adapter found for ${path}` }
        : { status: 400, message: `[Errno 2] No such file or directory: '${path}/adapter_config.json'` };
    }
    if (this.loaded.has(name)) return { status: 400, message: `The lora adapter '${name}' has already been loaded.` };
    if (!this.lies) this.loaded.set(name, path);
    return null;
  }

  #unload(name: string): { status: number; message: string } | null {
    if (this.loaded.delete(name)) return null;
    return { status: this.#kind === 'vllm' ? 404 : 400, message: `The lora adapter '${name}' cannot be found.` };
  }
}
