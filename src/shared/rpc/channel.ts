/**
 * One side of a wire: calls with answers, events, cancellation, errors that travel back and reject. The same class on
 * the host and in the webview. Sends nothing before the other side's hello, so that no message is lost while a page
 * loads.
 */
import * as z from 'zod';
import type { EventType, RequestType } from './contract.ts';
import { failureOf, failureSchema, RpcError } from './rpcError.ts';

/** How messages travel: a webview's postMessage. */
export interface Port {
  post(message: unknown): void;
  /** @returns stops listening */
  listen(receive: (message: unknown) => void): () => void;
}

const id = z.int();
const wireSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('hello'), answer: z.boolean() }),
  z.strictObject({ kind: z.literal('call'), id, name: z.string(), params: z.unknown() }),
  z.strictObject({ kind: z.literal('result'), id, value: z.unknown() }),
  z.strictObject({ kind: z.literal('failure'), id, error: failureSchema }),
  z.strictObject({ kind: z.literal('cancel'), id }),
  z.strictObject({ kind: z.literal('event'), name: z.string(), params: z.unknown() }),
]);
type Wire = z.infer<typeof wireSchema>;

interface Waiting {
  take(value: unknown): void;
  reject(error: RpcError): void;
}

export interface ChannelOptions {
  /** Gets unusable messages from the wire, and errors of event handlers. */
  onError(error: Error): void;
  /** The other side is there, for the first time or again after it was loaded anew. */
  onOpen?(): void;
}

export class Channel {
  readonly #port: Port;
  readonly #options: ChannelOptions;
  readonly #stop: () => void;
  readonly #handlers = new Map<string, (params: unknown, signal: AbortSignal) => Promise<unknown>>();
  readonly #listeners = new Map<string, (params: unknown) => void>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #running = new Map<number, AbortController>();
  #queue: Wire[] | null = [];
  #next = 1;

  constructor(port: Port, options: ChannelOptions) {
    this.#port = port;
    this.#options = options;
    this.#stop = port.listen((message) => this.#receive(message));
    this.#port.post({ kind: 'hello', answer: false } satisfies Wire);
  }

  /** Answers a request. An error of the handler rejects the other side's call. */
  handle<P extends z.ZodType, R extends z.ZodType>(
    type: RequestType<P, R>,
    handler: (params: z.output<P>, signal: AbortSignal) => Promise<z.input<R>> | z.input<R>,
  ): void {
    this.#handlers.set(type.name, async (params, signal) => {
      const parsed = type.params.safeParse(params);
      if (!parsed.success)
        throw new RpcError('invalid', `"${type.name}" was asked with ${z.prettifyError(parsed.error)}`);
      return handler(parsed.data, signal);
    });
  }

  /** @throws RpcError */
  async call<P extends z.ZodType, R extends z.ZodType>(
    type: RequestType<P, R>,
    params: z.input<P>,
    signal?: AbortSignal,
  ): Promise<z.output<R>> {
    const number = this.#next++;
    const answer = new Promise<unknown>((take, reject) => this.#waiting.set(number, { take, reject }));
    const cancel = (): void => {
      this.#send({ kind: 'cancel', id: number });
      this.#settle(number)?.reject(new RpcError('cancelled', `"${type.name}" was cancelled.`));
    };
    this.#send({ kind: 'call', id: number, name: type.name, params });
    if (signal?.aborted === true) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    try {
      const parsed = type.result.safeParse(await answer);
      if (parsed.success) return parsed.data;
      throw new RpcError('invalid', `"${type.name}" was answered with ${z.prettifyError(parsed.error)}`);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Listens to an event. */
  on<P extends z.ZodType>(type: EventType<P>, listener: (params: z.output<P>) => void): void {
    this.#listeners.set(type.name, (params) => {
      const parsed = type.params.safeParse(params);
      if (!parsed.success) throw new RpcError('invalid', `"${type.name}" came with ${z.prettifyError(parsed.error)}`);
      listener(parsed.data);
    });
  }

  emit<P extends z.ZodType>(type: EventType<P>, params: z.input<P>): void {
    this.#send({ kind: 'event', name: type.name, params });
  }

  /** Rejects pending calls and cancels running handlers. */
  dispose(): void {
    this.#stop();
    for (const controller of this.#running.values()) controller.abort();
    for (const number of [...this.#waiting.keys()]) {
      this.#settle(number)?.reject(new RpcError('closed', 'The other side was closed.'));
    }
  }

  #send(message: Wire): void {
    if (this.#queue === null) this.#port.post(message);
    else this.#queue.push(message);
  }

  #settle(number: number): Waiting | undefined {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    return waiting;
  }

  #receive(raw: unknown): void {
    const parsed = wireSchema.safeParse(raw);
    if (!parsed.success) {
      this.#options.onError(new RpcError('invalid', `A message could not be read: ${z.prettifyError(parsed.error)}`));
      return;
    }
    const message = parsed.data;
    switch (message.kind) {
      case 'hello':
        this.#open(message.answer);
        return;
      case 'call':
        void this.#answer(message);
        return;
      case 'result':
        this.#settle(message.id)?.take(message.value);
        return;
      case 'failure': {
        const { message: text, remedy } = message.error;
        this.#settle(message.id)?.reject(new RpcError('failed', text, { remedy }));
        return;
      }
      case 'cancel':
        this.#running.get(message.id)?.abort();
        return;
      case 'event':
        this.#tell(message);
    }
  }

  #open(answer: boolean): void {
    const queued = this.#queue ?? [];
    this.#queue = null;
    if (!answer) this.#port.post({ kind: 'hello', answer: true } satisfies Wire);
    for (const message of queued) this.#port.post(message);
    this.#options.onOpen?.();
  }

  async #answer({ id: number, name, params }: Extract<Wire, { kind: 'call' }>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(number, controller);
    try {
      const handler = this.#handlers.get(name);
      if (handler === undefined) throw new RpcError('unknown', `Nothing answers "${name}" here.`);
      this.#send({ kind: 'result', id: number, value: await handler(params, controller.signal) });
    } catch (error) {
      if (!controller.signal.aborted) this.#send({ kind: 'failure', id: number, error: failureOf(error) });
    } finally {
      this.#running.delete(number);
    }
  }

  #tell({ name, params }: Extract<Wire, { kind: 'event' }>): void {
    try {
      const listener = this.#listeners.get(name);
      if (listener === undefined) throw new RpcError('unknown', `Nothing listens to "${name}" here.`);
      listener(params);
    } catch (error) {
      this.#options.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
