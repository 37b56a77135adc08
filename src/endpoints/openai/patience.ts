/**
 * How long an answer may take. One that comes whole is silent until it is there, so that only its length says how long that may
 * be; a stream shows that the server is at work.
 */
import * as l10n from '@vscode/l10n';
import type { HttpRequest } from '../http/httpClient.ts';

/** Milliseconds that a request may wait behind others, and that a stream may be silent. */
const silence = 600_000;
/** Milliseconds a token at the slowest: ten tokens a second; of a stream, which must not be silent, one. */
const slowest = { whole: 100, streamed: 1000 };
/** Milliseconds that a long answer may be under way once it began to come. */
const transfer = 300_000;
/** Nothing is waited for longer than a day, and no timer can wait for a month. */
const longest = 86_400_000;

/** Tries that end after minutes, at most: a server bills what it wrote, whether it arrived or not. */
export const longTries = 2;

/** @param tokens that the answer may have */
export function patienceFor(tokens: number, streamed: boolean): Pick<HttpRequest, 'timeout' | 'late'> {
  const time = Math.min(longest, silence + tokens * (streamed ? slowest.streamed : slowest.whole));
  return streamed
    ? {
        timeout: { answer: silence, whole: time },
        late: () =>
          l10n.t(
            'A stream may be silent for 10 minutes, and has 10 minutes and 1 s for each of the {0} tokens that its answer may have (maxTokens). Lower maxTokens or inFlight, or see whether the server is stuck.',
            tokens,
          ),
      }
    : {
        timeout: { answer: time, whole: time + transfer },
        late: () =>
          l10n.t(
            'An answer has 10 minutes, and 1 s more for every 10 of the {0} tokens that it may have (maxTokens). Lower maxTokens or inFlight, or see whether the server is stuck.',
            tokens,
          ),
      };
}
