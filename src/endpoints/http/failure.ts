/** One try that failed: why, whether another may help, and what to tell a person if none does. */
import * as l10n from '@vscode/l10n';
import { parseSaid } from '../../shared/json.ts';
import type { EndpointErrorReason } from '../endpointError.ts';
import type { BrokenExchange } from './exchange.ts';
import type { HttpAnswer, MalformedAnswer } from './httpClient.ts';
import { proxyRemedy } from './proxies.ts';
import { redirected, type Asked } from './redirects.ts';
import { conflictTries, isRefusal, mayHelp, retryAfter } from './retryRules.ts';
import { excerpt, errorText } from './words.ts';

export interface Failure {
  reason: EndpointErrorReason;
  what: string;
  remedy: string;
  status?: number;
  /** Tries at most because of this kind of failure; Infinity: as many as the request has. */
  tries: number;
  /** The server has too much to do: everybody slows down. */
  refused: boolean;
  /** Milliseconds the server asks to wait. */
  after: number | null;
  cause?: unknown;
}

/** Tries of a request whose answers make no sense, at a server that never made any: the address is probably wrong. */
export const senselessTries = 5;

/** Tries of a request that a page refused: few, as probes ask for what is not there. */
const foreignTries = 3;

const remedies: Record<EndpointErrorReason, () => string> = {
  unreachable: () => l10n.t('Check that the server runs and that the address and the network are right.'),
  credentials: () => l10n.t('Check the key of this endpoint: it may be wrong, expired, or without this right.'),
  billing: () => l10n.t('Check the balance and the limits of the account.'),
  overloaded: () => l10n.t('Wait, lower the number of requests in flight, or add a replica.'),
  gone: () => l10n.t('The server no longer has it: it may have been restarted. Resume from the last checkpoint.'),
  refused: () => l10n.t('Check the settings of this endpoint; Endpoint Doctor says what it accepts.'),
  malformed: () => l10n.t('Check that the address leads to this kind of server and not to a proxy or a page.'),
  failed: () => l10n.t('See the server’s own log for the cause.'),
  unable: () => l10n.t('Choose another endpoint for this; Endpoint Doctor says what each can do.'),
};

const remedyOf = (reason: EndpointErrorReason): string => remedies[reason]();

/** An answer with a status that is not accepted. */
export function failureOf(answer: HttpAnswer, asked: Asked): Failure {
  const { status, headers, body } = answer;
  const said = errorText(body);
  const reason = reasonOf(status, said);
  const retried = reason !== 'billing' && mayHelp(status, headers);
  const where = status >= 300 && status < 400 ? redirected(headers['location'], asked) : null;
  return {
    reason,
    what:
      where?.what ??
      `${status === 407 ? l10n.t('its proxy wants a user: ') : ''}${l10n.t('status {0}', status)}${said === '' ? '' : `: ${said}`}`,
    remedy: where?.remedy ?? (status === 407 ? proxyRemedy() : remedyOf(reason)),
    status,
    tries: retried ? (status === 409 ? conflictTries : Infinity) : isForeign(answer) ? foreignTries : 1,
    refused: retried && isRefusal(status),
    after: retryAfter(headers),
  };
}

/** Of something in the way of a server that has answered the same request well before: a tunnel, a proxy, a login. */
export function failureOfStandIn(answer: HttpAnswer, asked: Asked): Failure {
  // Without the status: it is not the server's word.
  const { what, after } = failureOf(answer, asked);
  return { reason: 'unreachable', what, remedy: remedyOf('unreachable'), tries: Infinity, refused: false, after };
}

/** Whether another than the server may have answered so. `json`: all answers of the server itself are JSON. */
export function isStandIn(answer: HttpAnswer, json: boolean): boolean {
  const { status, body } = answer;
  if (status >= 300 && status < 400) return true;
  const text = body.toString('utf8');
  const none = text.trim() === '' || (json && parseSaid(text) === undefined);
  return isForeign(answer) || ([403, 404, 405].includes(status) && none);
}

/** A page that says not found or no: of a proxy whose server is away for a moment, or of a wrong address. */
const isForeign = ({ status, body }: HttpAnswer): boolean => [400, 403, 404, 405].includes(status) && isPage(body);

export const isPage = (body: Buffer): boolean => /^\s*<(!doctype|html)/i.test(body.subarray(0, 100).toString('latin1'));

function reasonOf(status: number, said: string): EndpointErrorReason {
  // The hosted services say with 429 also that the money is used up, and no wait changes that.
  if (status === 402 || (status === 429 && /insufficient_quota|exceeded your current quota/i.test(said)))
    return 'billing';
  if (status === 401 || status === 403 || status === 407) return 'credentials';
  if (status === 410) return 'gone';
  if (isRefusal(status)) return 'overloaded';
  // A proxy's status while the server behind it is away.
  if ([408, 425, 499, 502, 504].includes(status) || (status >= 520 && status <= 524)) return 'unreachable';
  if (status === 501) return 'unable';
  return status >= 500 ? 'failed' : 'refused';
}

/** No whole answer at all. @param late remedy of one that took too long */
export function failureOfExchange(error: BrokenExchange, late?: () => string): Failure {
  const reason = error.kind === 'protocol' || error.kind === 'size' ? 'malformed' : 'unreachable';
  const tries = new Map([
    ['protocol', senselessTries],
    ['size', 1],
    ['certificate', 1],
    ['proxy', 1],
  ]).get(error.kind);
  return {
    reason,
    what: error.message,
    remedy:
      error.kind === 'certificate'
        ? l10n.t('Install the certificate it was signed with (NODE_EXTRA_CA_CERTS), or check the address.')
        : error.proxied
          ? proxyRemedy()
          : error.kind === 'late' && late !== undefined
            ? late()
            : remedyOf(reason),
    tries: tries ?? Infinity,
    refused: false,
    after: null,
    cause: error,
  };
}

/** A whole answer that makes no sense. */
export function failureOfContent(answer: HttpAnswer, error: MalformedAnswer): Failure {
  const begins = excerpt(answer.body);
  return {
    reason: 'malformed',
    what: l10n.t('{0}; the answer begins: {1}', error.message, begins === '' ? l10n.t('(empty)') : begins),
    remedy: error.then.remedy ?? remedyOf('malformed'),
    status: answer.status,
    tries: error.then.tries ?? senselessTries,
    refused: false,
    after: null,
    cause: error,
  };
}
