/** Completions as they arrive from the worker, as an async iterable that an abort ends at once. */
import type { Completions } from './protocol.ts';
import { unflatten } from './protocol.ts';
import { outOfRange } from '../../shared/outOfRange.ts';
import type { Completion } from '../../engine/completion.ts';

/** A completion with its request's position in place of what the policy knows of it. */
export type StreamedCompletion = Omit<Completion, 'requestId' | 'promptTokens' | 'text'> & { request: number };

export class CompletionStream implements AsyncIterable<StreamedCompletion> {
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => {
    this.fail(this.#signal.reason);
  };
  #ready: StreamedCompletion[] = [];
  #ended = false;
  #failure: { error: unknown } | null = null;
  #wake: (() => void) | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  push(completions: Completions): void {
    const { requests, indices, stopped, sequences, logprobs } = completions;
    const tokenLists = unflatten(sequences.tokens, sequences.offsets);
    const logprobLists = unflatten(logprobs, sequences.offsets);
    requests.forEach((request, i) => {
      this.#ready.push({
        request,
        index: indices[i] ?? outOfRange(),
        tokens: tokenLists[i] ?? [],
        logprobs: logprobLists[i] ?? [],
        stopReason: stopped[i] === 1 ? 'stop' : 'length',
      });
    });
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Chunks that have arrived are still given out first, except after an abort. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake?.();
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamedCompletion, void> {
    for (;;) {
      const ready = this.#ready;
      this.#ready = [];
      for (const completion of ready) {
        this.#signal.throwIfAborted();
        yield completion;
      }
      if (this.#ready.length > 0) continue;
      if (this.#failure) throw this.#failure.error;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = null;
    }
  }
}
