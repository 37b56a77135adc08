import * as l10n from '@vscode/l10n';
import { RemediedError } from '../shared/reasonedError.ts';

/**
 * Why an endpoint did not do what was asked. What a person can mend (`unreachable`, `credentials`, `billing`,
 * `overloaded`, `gone`, `malformed`, `failed` with a status of 5xx) pauses a run; the rest is a failure of the request.
 */
export type EndpointErrorReason =
  /** No connection, or none in time, after all retries. */
  | 'unreachable'
  /** 401, 403, an expired token. */
  | 'credentials'
  /** 402, a quota that is used up. */
  | 'billing'
  /** 429 or 503, still after all retries. */
  | 'overloaded'
  /** The model, session or checkpoint is no longer there. */
  | 'gone'
  /** It refused the request: 400, 404, 413, 422. */
  | 'refused'
  /** It answered with what the protocol does not allow: HTML, truncated JSON, a wrong count, NaN. */
  | 'malformed'
  /** It said it failed, still after all retries. */
  | 'failed'
  /** It cannot do this at all: no logprobs, no training. */
  | 'unable';

export interface EndpointErrorFacts {
  /** Base address, without key or query. */
  endpoint: string;
  /** The request: `POST /api/v1/asample`. */
  request: string;
  /** How often it was tried. */
  attempts: number;
  /** HTTP status of the last try, where there was an answer. */
  status?: number;
  /** The remedy: full sentences. */
  remedy: string;
  cause?: unknown;
}

export class EndpointError extends RemediedError<EndpointErrorReason> {
  override readonly name = 'EndpointError';
  readonly endpoint: string;
  readonly request: string;
  readonly attempts: number;
  readonly status: number | null;

  /** @param what what failed and why, as a clause */
  constructor(reason: EndpointErrorReason, what: string, facts: EndpointErrorFacts) {
    const tried = facts.attempts > 1 ? l10n.t('{0} after {1} attempts', what, facts.attempts) : what;
    super(reason, `${facts.endpoint}: ${facts.request}: ${tried}. ${facts.remedy}`, facts.remedy, {
      cause: facts.cause,
    });
    this.endpoint = facts.endpoint;
    this.request = facts.request;
    this.attempts = facts.attempts;
    this.status = facts.status ?? null;
  }
}
