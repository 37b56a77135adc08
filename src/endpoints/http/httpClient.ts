/**
 * HTTP as every endpoint uses it: one place for timeouts, retries, back-off, idempotency and the words of an error.
 * Built on node:http(s): Ray refuses what a browser's fetch sends, and generations last longer than fetch waits.
 */
import * as l10n from '@vscode/l10n';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base address: `/api/v1/asample`. */
  path: string;
  /** JSON when it is no buffer. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds until an answer must have begun, and until it must have ended. */
  timeout?: { answer: number; whole: number };
  /** The remedy where one of these limits ended it: which limit that is, and how to change it. */
  late?: () => string;
  /** The answer is written while it comes into being: any byte within the time for the first is progress. */
  streamed?: boolean;
  /** Statuses that are an answer, not a failure, beside 2xx. */
  accept?: readonly number[];
  /** Sent with every try of this request, so that a server can tell a repetition. */
  idempotencyKey?: string;
  /** How often at most; 1 is never again. Absent: what the policy of the client says. */
  tries?: number;
  /** How often at most where each try took minutes before it failed: such answers are paid for. */
  longTries?: number;
  /** Milliseconds that everybody waits at least when this is refused, also where the server asks for less. */
  leastPause?: number;
  /** Not held back when the endpoint asks everybody to slow down, and no sign that it has room: heartbeats. */
  urgent?: boolean;
  /** Throws MalformedAnswer for an answer that the protocol does not allow; it is then asked for again a few times. */
  check?(answer: HttpAnswer): void;
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** One try of a request. @throws RefusedAnswer; BrokenExchange when no whole answer came */
export type SendOnce = (request: HttpRequest) => Promise<HttpAnswer>;

/** How a request is repeated. */
export type Repetition = Pick<HttpRequest, 'tries' | 'longTries' | 'leastPause' | 'urgent'>;

export interface HttpClient {
  /** Base address without a trailing slash, user, key or query. */
  readonly url: string;
  /** @throws EndpointError; the signal's reason when it is aborted, which also closes the socket */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer>;
  /**
   * Repeats `work`, which makes one request by `once` and reads the answer, as `send` repeats a request: for packages that
   * write requests and read answers themselves. A MalformedAnswer that `work` throws is a try that failed.
   * @throws as `send`
   */
  repeat<T>(work: (once: SendOnce) => Promise<T>, repetition: Repetition, signal?: AbortSignal): Promise<T>;
  /** Aborted by `close`. */
  readonly closed: AbortSignal;
  close(): void;
}

/** A client that can also keep a connection open on which the server alone speaks. */
export interface Listener {
  /**
   * Texts of a WebSocket, one a message of at most so many bytes, with the headers of every request; ends when the server
   * closes it. Not tried again. @throws RefusedAnswer, BrokenExchange; the signal's reason
   */
  listen(path: string, largest: number, signal: AbortSignal): AsyncIterable<string>;
}

/** The consequence of an answer that cannot be read. */
export interface Unreadable {
  /** How often at most such answers are asked for; absent: a few times. */
  tries?: number;
  remedy?: string;
}

/** An answer that arrived whole and still is not what the protocol allows. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
  readonly then: Unreadable;

  constructor(message: string, { cause, ...then }: Unreadable & { cause?: unknown } = {}) {
    super(message, { cause });
    this.then = then;
  }
}

/** An answer with a status that is a failure. */
export class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer';
  readonly answer: HttpAnswer;
  /** Milliseconds that it took. */
  readonly took: number;

  constructor(answer: HttpAnswer, took: number) {
    super(l10n.t('status {0}', answer.status));
    this.answer = answer;
    this.took = took;
  }
}
