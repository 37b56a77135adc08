/**
 * Worker thread of searches, so that the caller is never blocked by large runs. Extends text indexes between searches.
 */
import { parentPort, type MessagePort } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import { readTraceQuery } from '../contract/traceQuery.ts';
import { nodeFiles } from '../../../runs/files/fileOperations.ts';
import { sizeOf } from '../../../runs/files/jsonLines.ts';
import { runPaths } from '../../../runs/store/runPaths.ts';
import { toWorkerSchema, type FromWorker, type ToWorker } from './protocol.ts';
import { searchRun } from './searchRun.ts';
import { extendTextIndexes } from './textIndexes.ts';
import type { RunContext } from '../../../runs/store/runContext.ts';
import { messageOf } from '../../../shared/messageOf.ts';

type Search = Extract<ToWorker, { type: 'search' }>;

/** Between two words on how far a search has come. */
const progressMs = 50;

class Searches {
  readonly #port: MessagePort;
  readonly #context: RunContext;
  readonly #running = new Map<number, AbortController>();
  /** Runs whose text indexes are to be extended. */
  readonly #behind = new Set<string>();
  /** Bytes of a run's records when its text indexes were as long as they. */
  readonly #extended = new Map<string, number>();
  #extending = false;
  #idle = Promise.withResolvers<null>();

  constructor(port: MessagePort) {
    this.#port = port;
    this.#context = {
      clock: { now: () => Date.now() },
      log: { info: () => undefined, warn: (message) => this.#post({ type: 'trouble', message }) },
      files: nodeFiles,
    };
  }

  receive(raw: unknown): void {
    const message = toWorkerSchema.parse(raw);
    if (message.type === 'cancel') this.#running.get(message.id)?.abort();
    else void this.#search(message);
  }

  async #search(search: Search): Promise<void> {
    const { id, dir } = search;
    const stop = new AbortController();
    if (this.#running.size === 0) this.#idle = Promise.withResolvers<null>();
    this.#running.set(id, stop);
    try {
      await this.#stream(search, stop.signal);
      this.#behind.add(dir);
    } catch (error) {
      this.#post({ type: 'failed', id, message: messageOf(error) });
    } finally {
      this.#running.delete(id);
      if (this.#running.size === 0) this.#idle.resolve(null);
    }
    void this.#extendAll();
  }

  async #stream({ id, dir, text, limit }: Search, signal: AbortSignal): Promise<void> {
    const read = readTraceQuery(text);
    if ('problem' in read) throw new Error(read.problem.message);
    let told = performance.now();
    const onProgress = (share: number): void => {
      if (performance.now() - told < progressMs) return;
      told = performance.now();
      this.#post({ type: 'progress', id, share });
    };
    const search = searchRun(dir, read.query, this.#context, { signal, limit, onProgress });
    for (let next = await search.next(); ; next = await search.next()) {
      if (next.done === true) {
        this.#post({ type: 'done', id, summary: next.value });
        return;
      }
      this.#post({ type: 'hits', id, hits: next.value });
    }
  }

  async #extendAll(): Promise<void> {
    if (this.#extending) return;
    this.#extending = true;
    const turn = async (): Promise<void> => {
      await setImmediate();
      if (this.#running.size > 0) await this.#idle.promise;
    };
    for (const dir of this.#behind) {
      this.#behind.delete(dir);
      try {
        const { traces, tasks } = runPaths(dir);
        const bytes = (await sizeOf(traces.records)) + (await sizeOf(tasks.records));
        if (this.#extended.get(dir) === bytes) continue;
        await turn();
        await extendTextIndexes(dir, this.#context, turn);
        this.#extended.set(dir, bytes);
      } catch (error) {
        // A disk that cannot be written, a run that was deleted: searches read the records instead.
        this.#post({ type: 'trouble', message: messageOf(error) });
      }
    }
    this.#extending = false;
  }

  #post(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

if (parentPort === null) throw new Error('The search worker runs in a worker thread.');
const searches = new Searches(parentPort);
parentPort.on('message', (message: unknown) => searches.receive(message));
