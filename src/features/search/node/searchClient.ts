/** Searches in a worker thread, which starts with the first one and stays: it is warm for the next. */
import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { SearchHit, SearchSummary } from '../contract/searchHit.ts';
import { fromWorkerSchema, type FromWorker, type ToWorker } from './protocol.ts';
import { SearchError } from './searchError.ts';

export interface SearchRequest {
  /** The run's folder. */
  dir: string;
  /** A query that can be read. */
  text: string;
  /** Of traces, and of tasks. */
  limit: number;
  signal: AbortSignal;
  onHits: (hits: readonly SearchHit[]) => void;
  /** 0…1 of the records. */
  onProgress: (share: number) => void;
}

interface Waiting extends Pick<SearchRequest, 'onHits' | 'onProgress'> {
  resolve: (summary: SearchSummary) => void;
  reject: (error: SearchError) => void;
}

export class SearchClient {
  readonly #url: URL;
  readonly #onTrouble: (message: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #next = 1;

  /**
   * @param url of the worker's script
   * @param onTrouble gets the reason why an index could not be made; searches work without
   */
  constructor(url: URL, onTrouble: (message: string) => void) {
    this.#url = url;
    this.#onTrouble = onTrouble;
  }

  /** Ends early, with the hits so far, when it is cancelled. @throws SearchError */
  search({ dir, text, limit, signal, onHits, onProgress }: SearchRequest): Promise<SearchSummary> {
    const id = this.#next++;
    const ended = new Promise<SearchSummary>((resolve, reject) => {
      this.#waiting.set(id, { onHits, onProgress, resolve, reject });
    });
    const worker = (this.#worker ??= this.#start());
    const post = (message: ToWorker): void => worker.postMessage(message);
    const cancel = (): void => post({ type: 'cancel', id });
    post({ type: 'search', id, dir, text, limit });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return ended.finally(() => signal.removeEventListener('abort', cancel));
  }

  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#end(new SearchError('worker', l10n.t('The search was closed.')));
    await worker?.terminate();
  }

  #start(): Worker {
    // Inherited flags (a debugger's, a test runner's loaders) are none of the worker's business.
    const worker = new Worker(this.#url, { execArgv: [], name: 'search' });
    const failed = (what: string, cause?: unknown): void => {
      if (this.#worker === worker) this.#end(new SearchError('worker', what, { cause }));
    };
    worker.on('message', (raw: unknown) => this.#receive(fromWorkerSchema.parse(raw)));
    worker.on('error', (cause) =>
      failed(l10n.t("The search's thread failed: {0}. Search again.", String(cause)), cause),
    );
    worker.on('exit', (code) => failed(l10n.t("The search's thread has ended (exit code {0}). Search again.", code)));
    return worker;
  }

  /** The next search starts another thread. */
  #end(error: SearchError): void {
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #receive(message: FromWorker): void {
    if (message.type === 'trouble') {
      this.#onTrouble(message.message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    switch (message.type) {
      case 'hits':
        waiting?.onHits(message.hits);
        return;
      case 'progress':
        waiting?.onProgress(message.share);
        return;
      case 'done':
        this.#waiting.delete(message.id);
        waiting?.resolve(message.summary);
        return;
      case 'failed':
        this.#waiting.delete(message.id);
        waiting?.reject(new SearchError('run', message.message));
    }
  }
}
