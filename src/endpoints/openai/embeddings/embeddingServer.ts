/** Vectors of texts by `POST /v1/embeddings` of an OpenAI-compatible server. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import type { Embedder } from '../../../engine/ports/embedder.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { EndpointError } from '../../endpointError.ts';
import type { Connection } from '../connection.ts';

/** Texts of a request. */
const mostTexts = 64;
/** Vectors kept, so that seeds are not asked for in every epoch. */
const mostKept = 2048;
/** Numbers of a vector. */
const longest = 16_384;
/** A run waits for the answer: after so many tries it continues without. */
const tries = 3;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1).max(longest) })),
});

export class EmbeddingServer implements Embedder {
  readonly model: string;
  readonly #connection: Connection;
  readonly #tries: number;
  /** The oldest first. */
  readonly #kept = new Map<string, Float32Array>();

  constructor(connection: Connection, model: string, most = tries) {
    this.#connection = connection;
    this.model = model;
    this.#tries = most;
  }

  /** @throws EndpointError, KeyError; the signal's reason */
  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const found = new Map<string, Float32Array>();
    const missing = new Set<string>();
    for (const text of texts) {
      const known = this.#kept.get(text);
      if (known === undefined) missing.add(text);
      else found.set(text, known);
    }
    const wanted = [...missing];
    for (let from = 0; from < wanted.length; from += mostTexts) {
      const some = wanted.slice(from, from + mostTexts);
      const vectors = await this.#ask(some, signal);
      some.forEach((text, i) => found.set(text, vectors[i] ?? outOfRange()));
    }
    this.#keep(found);
    const all = texts.map((text) => found.get(text) ?? outOfRange());
    if (new Set(all.map(({ length }) => length)).size > 1)
      throw this.#malformed(l10n.t('vectors of different lengths'));
    return all;
  }

  close(): void {
    this.#connection.http.close();
  }

  async #ask(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { data } = await this.#connection.ask(
      (client) => client.post('/embeddings', { body: { model: this.model, input: texts, encoding_format: 'float' } }),
      answerSchema,
      { signal, tries: this.#tries },
    );
    const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
    if (data.length !== texts.length || byIndex.size !== texts.length) {
      throw this.#malformed(l10n.t('{0} vectors for {1} texts', data.length, texts.length));
    }
    return texts.map((_, i) => {
      const embedding = byIndex.get(i);
      if (embedding === undefined) throw this.#malformed(l10n.t('no vector for text {0}', i));
      const norm = Math.sqrt(embedding.reduce((sum, value) => sum + value * value, 0));
      if (!(norm > 0)) throw this.#malformed(l10n.t('a vector of zeros, which has no direction'));
      return Float32Array.from(embedding, (value) => value / norm);
    });
  }

  #keep(found: ReadonlyMap<string, Float32Array>): void {
    for (const [text, vector] of found) {
      this.#kept.delete(text);
      this.#kept.set(text, vector);
    }
    for (const text of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(text);
    }
  }

  #malformed(what: string): EndpointError {
    const facts = { endpoint: this.#connection.http.url, request: 'POST /v1/embeddings', attempts: 1 };
    const remedy = l10n.t('See whether “{0}” is a model for embeddings.', this.model);
    return new EndpointError('malformed', l10n.t('it gave {0}', what), { ...facts, remedy });
  }
}
