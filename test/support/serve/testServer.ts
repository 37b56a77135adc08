/** A server with two tiny models on a port of its own, and the calls of its protocol in short. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { embeddedAssets } from '../../../src/endpoints/embedded/assets.ts';
import { writeWeights } from '../../../src/endpoints/embedded/model/weights.ts';
import { Faults } from '../../../src/serve/faults/faults.ts';
import { startServer, type RunningServer, type ServeOptions } from '../../../src/serve/server.ts';
import { kernelBytes } from '../embedded/kernels.ts';
import { smallTrainer } from '../embedded/models.ts';
import { fromSources } from '../fromSources.ts';

export const worker = new URL('../../../src/endpoints/embedded/worker.ts', import.meta.url);

export const smallWeights = (seed = 7): Uint8Array =>
  writeWeights({ ...smallTrainer(seed).state(), moments: null }, 'f32');

/** The models that are shipped, in place of the tiny ones. @param dist the build’s folder, or the current sources */
export function shippedModels(dist = fromSources): ServeOptions['models'] {
  const { worker, kernels, weights } = embeddedAssets(dist);
  return {
    ...{ worker, kernels: readFileSync(kernels) },
    weights: { agent: readFileSync(weights.agent), environment: readFileSync(weights.environment) },
  };
}

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** The body as JSON; undefined when it is none. */
  json: unknown;
}

const promise = z.object({ request_id: z.string() });

export class TestServer {
  readonly state = mkdtempSync(join(tmpdir(), 'genenv-serve-'));
  readonly faults = new Faults();
  #server: RunningServer | null = null;
  #session: string | null = null;

  async start(over: Partial<ServeOptions> = {}): Promise<void> {
    this.#server = await startServer({
      models: { worker, kernels: kernelBytes(), weights: { agent: smallWeights(7), environment: smallWeights(8) } },
      ...{ host: '127.0.0.1', port: 0, state: this.state, key: null, faults: this.faults },
      log: (message) => assert.fail(message),
      ...over,
    });
  }

  get server(): RunningServer {
    assert.ok(this.#server, 'The server is not started.');
    return this.#server;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
    this.#session = null;
    rmSync(this.state, { recursive: true, force: true });
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const raw = body instanceof Uint8Array;
    const response = await fetch(this.server.url + path, {
      method,
      headers: { ...(raw ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: raw ? Uint8Array.from(body) : JSON.stringify(body) }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && bytes.length > 0;
    const json: unknown = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
    return { status: response.status, headers: response.headers, bytes, json };
  }

  async get(path: string): Promise<unknown> {
    const answer = await this.send('GET', path);
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    return answer.json;
  }

  /** A call of the protocol that answers at once. */
  async post(call: string, body: unknown, status = 200): Promise<unknown> {
    const answer = await this.send('POST', `/api/v1/${call}`, body);
    assert.equal(answer.status, status, JSON.stringify(answer.json));
    return answer.json;
  }

  async promise(call: string, body: unknown): Promise<string> {
    return promise.parse(await this.post(call, body)).request_id;
  }

  /** A call that promises, and what it promised. */
  async ask(call: string, body: unknown): Promise<unknown> {
    return this.result(await this.promise(call, body));
  }

  /** Polls until it is there. */
  async result(request_id: string): Promise<unknown> {
    for (;;) {
      const answer = await this.send('POST', '/api/v1/retrieve_future', { request_id });
      if (answer.status === 408) continue;
      assert.equal(answer.status, 200, JSON.stringify(answer.json));
      return answer.json;
    }
  }

  async session(): Promise<string> {
    const schema = z.object({ session_id: z.string() });
    this.#session ??= schema.parse(await this.post('create_session', {})).session_id;
    return this.#session;
  }

  async model(number: number, base = 'genenv/agent'): Promise<string> {
    const body = { session_id: await this.session(), model_seq_id: number, base_model: base, lora_config: { rank: 4 } };
    return z.object({ model_id: z.string() }).parse(await this.ask('create_model', body)).model_id;
  }

  async sampling(number: number, weights: { base_model: string } | { model_path: string }): Promise<string> {
    const body = { session_id: await this.session(), sampling_session_seq_id: number, ...weights };
    const schema = z.object({ sampling_session_id: z.string() });
    return schema.parse(await this.post('create_sampling_session', body)).sampling_session_id;
  }
}

/** Prompt or input of the protocol. */
export const input = (tokens: readonly number[]): unknown => ({ chunks: [{ type: 'encoded_text', tokens }] });
