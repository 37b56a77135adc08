/** Spans on their way to a collector. A slow or absent one costs spans, never time of the run. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpClient } from '../../endpoints/http/httpClient.ts';
import { EndpointError } from '../../endpoints/endpointError.ts';
import { NodeHttpClient } from '../../endpoints/http/nodeHttpClient.ts';
import type { Log } from '../../engine/ports.ts';
import { messageOf } from '../../shared/messageOf.ts';
import { authorization, proofFor } from '../access/keys.ts';
import { attributesJson, spanJson, type Span } from './span.ts';
import type { TracesTarget } from './target.ts';

/** Bounds of what waits: spans, and characters of their JSON. */
const [mostSpans, mostCharacters] = [8192, 16_000_000];
/** Of one request. */
const [batchSpans, batchCharacters] = [512, 2_000_000];
/** Milliseconds: between requests while there is little to send; until a request is given up; for the last spans of a run. */
const [pause, patience, lastPatience] = [1000, 10_000, 3000];

export class SpanQueue {
  readonly #http: HttpClient;
  readonly #path: string;
  readonly #log: Log;
  readonly #head: string;
  #waiting: string[] = [];
  #characters = 0;
  #dropped = 0;
  #told = false;
  /** Spans of the request under way. */
  #leaving = 0;
  #sending: Promise<void> | null = null;
  readonly #ending = new AbortController();

  constructor(target: TracesTarget, { run, version, log }: { run: string; version: string; log: Log }) {
    const { origin, pathname, search } = new URL(target.url);
    const { headers, proof } = target;
    const credentials =
      proof === undefined
        ? () => Promise.resolve(headers ?? {})
        : proofFor(proof.keys, { key: proof.key, url: target.url }, authorization);
    this.#http = new NodeHttpClient({
      ...{ url: origin, credentials, tries: 3, timeout: { answer: patience, whole: patience }, sockets: 2 },
    });
    this.#path = `${pathname}${search}`;
    this.#log = log;
    const resource = attributesJson({
      ...{ 'service.name': target.service, 'service.version': version, ...target.resource, 'genenv.run.id': run },
    });
    const scope = JSON.stringify({ name: 'genenv', version });
    this.#head = `{"resourceSpans":[{"resource":{"attributes":${JSON.stringify(resource)}},"scopeSpans":[{"scope":${scope},"spans":[`;
  }

  add(span: Span): void {
    const text = spanJson(span);
    if (this.#waiting.length >= mostSpans || this.#characters + text.length > mostCharacters) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(text);
    this.#characters += text.length;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
  }

  /** Sends what waits, for a while at the most. Never rejects. */
  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.race([this.#sending, sleep(lastPatience, undefined, { ref: false })]);
    this.#dropped += this.#waiting.length + this.#leaving;
    this.#waiting = [];
    this.#told = true;
    this.#http.close();
    if (this.#dropped > 0) this.#log.warn(`${this.#dropped} spans of this run did not reach ${this.#http.url}.`);
  }

  /** Until nothing waits. Never rejects. */
  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < batchSpans) {
        await sleep(pause, undefined, { ref: false, signal: this.#ending.signal }).catch(() => undefined);
      }
      const batch = this.#take();
      this.#leaving = batch.length;
      try {
        const body = Buffer.from(`${this.#head}${batch.join()}]}]}]}`);
        const headers = { 'content-type': 'application/json' };
        await this.#http.send({ method: 'POST', path: this.#path, body, headers });
      } catch (error) {
        this.#dropped += batch.length;
        this.#tellOnce(error);
      }
      this.#leaving = 0;
    }
  }

  #take(): string[] {
    let [count, characters] = [0, 0];
    while (count < Math.min(batchSpans, this.#waiting.length)) {
      characters += this.#waiting[count]?.length ?? 0;
      if (count > 0 && characters > batchCharacters) break;
      count += 1;
    }
    const batch = this.#waiting.splice(0, count);
    this.#characters -= batch.reduce((sum, { length }) => sum + length, 0);
    return batch;
  }

  #tellOnce(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    this.#log.warn(`Spans cannot be sent; the run continues without them. ${whyOf(error)}`);
  }
}

/** Without advice to resume: the run continues. */
const whyOf = (error: unknown): string =>
  EndpointError.is(error) ? error.message.replace(error.remedy, '').trim() : messageOf(error);
