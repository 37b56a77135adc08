/** The main thread's end of the protocol: calls with answers, streams, and failures that reject whatever waits. */
import { type Transferable, Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import { EmbeddedError } from './errors.ts';
import {
  type Answer,
  type Call,
  type Completions,
  fromWorkerSchema,
  type Reply,
  type ToWorker,
  type WorkerData,
} from './protocol.ts';

/**
 * A worker's arrays live as long as an update: by itself V8 gives each thread 128 MB for what is young, and keeps them.
 * Everything that lasts lies in the kernels' memory.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
  onCompletions?(completions: Completions): void;
}

export class WorkerClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #failure: Error | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Resolves when the model is loaded. */
  static async start(url: URL, data: WorkerData): Promise<WorkerClient> {
    // Inherited flags (a debugger's, a test runner's loaders) are none of the worker's business.
    const worker = new Worker(url, { workerData: data, execArgv: [], name: 'embedded policy', resourceLimits });
    const client = new WorkerClient(worker);
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        client.#fail(error);
        reject(error);
      };
      const end = (error: Error): void => {
        fail(error);
        void worker.terminate();
      };
      const senseless = (cause: unknown): void =>
        end(new EmbeddedError('worker', l10n.t('The embedded model’s worker sent what makes no sense.'), { cause }));
      worker.on('message', (raw: unknown) => {
        // A throw here would end the process.
        const { data: message, error } = fromWorkerSchema.safeParse(raw);
        if (message === undefined) senseless(error);
        else if (message.type === 'ready') resolve();
        else if (message.type === 'refused') end(errorOf(message));
        else client.#receive(message);
      });
      worker.on('messageerror', senseless);
      worker.on('error', (cause) =>
        fail(new EmbeddedError('worker', l10n.t("The embedded model's worker failed: {0}.", String(cause)), { cause })),
      );
      worker.on('exit', (code) =>
        fail(new EmbeddedError('worker', l10n.t("The embedded model's worker has ended (exit code {0}).", code))),
      );
    });
    return client;
  }

  /** Sends a call; `type` of the answer is the caller's to check with `expect`. */
  call(
    call: Call,
    options: { transfer?: Transferable[]; onCompletions?: (c: Completions) => void } = {},
  ): {
    id: number;
    answer: Promise<Answer>;
  } {
    const id = this.#nextId++;
    const answer = new Promise<Answer>((resolve, reject) => {
      if (this.#failure) {
        reject(this.#failure);
        return;
      }
      const { onCompletions } = options;
      this.#waiting.set(id, { resolve, reject, ...(onCompletions && { onCompletions }) });
      this.#post({ ...call, id }, options.transfer ?? []);
    });
    return { id, answer };
  }

  /** Gives up a call; its answer still comes, early. */
  abort(id: number): void {
    if (this.#waiting.has(id)) this.#post({ type: 'abort', id }, []);
  }

  async stop(): Promise<void> {
    this.#fail(new EmbeddedError('worker', l10n.t('The embedded policy was disposed.')));
    await this.#worker.terminate();
  }

  #post(message: ToWorker, transfer: Transferable[]): void {
    this.#worker.postMessage(message, transfer);
  }

  #receive(message: Reply): void {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    if (message.type === 'completions') {
      waiting.onCompletions?.(message);
      return;
    }
    this.#waiting.delete(message.id);
    if (message.type === 'failed') waiting.reject(errorOf(message));
    else waiting.resolve(message);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}

/** The answer, which the protocol says is of this type. */
export function expect<T extends Answer['type']>(answer: Answer, type: T): Extract<Answer, { type: T }> {
  if (isType(answer, type)) return answer;
  throw new EmbeddedError(
    'worker',
    l10n.t("The embedded model's worker answered '{0}' where '{1}' was due.", answer.type, type),
  );
}

function isType<T extends Answer['type']>(answer: Answer, type: T): answer is Extract<Answer, { type: T }> {
  return answer.type === type;
}

const errorOf = ({ reason, message, code }: Pick<EmbeddedError, 'reason' | 'message' | 'code'>): EmbeddedError =>
  new EmbeddedError(reason, message, { code });
