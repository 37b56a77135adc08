/**
 * A job's log as Ray sends it over its WebSocket: all of it, at every attachment, then what is printed. A close says nothing of the
 * job: a head whose agent has gone closes as if the log were at its end. So what was had is compared and skipped.
 */
import { createHash, type Hash } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { BrokenExchange } from '../../http/exchange.ts';
import { RefusedAnswer } from '../../http/httpClient.ts';
import { sleep, type Time } from '../../time.ts';
import { LogUnfollowed } from './launcher.ts';

export interface RayLogParts {
  /** Attaches once. */
  attach: () => AsyncIterable<string>;
  /** Whether the job is queued or runs. */
  lives: () => Promise<boolean>;
  time: Time;
  signal: AbortSignal;
}

/** Each attachment costs the whole log. */
const [shortestWait, longestWait] = [1_000, 60_000];
/** The head has too much to do, or a proxy has a bad minute; a key may be renewed meanwhile. */
const passing = (status: number): boolean => [401, 403, 404, 408, 429].includes(status) || status >= 500;

/** The log after its known beginning. @throws LogUnfollowed; the signal's reason */
export async function* rayLog(known: Uint8Array, { attach, lives, time, signal }: RayLogParts): AsyncGenerator<Buffer> {
  const had = { size: known.length, hash: createHash('sha256').update(known) };
  for (let wait = shortestWait; ; wait = Math.min(2 * wait, longestWait)) {
    const before = had.size;
    let whole = false;
    try {
      const again = { size: 0, hash: createHash('sha256') };
      for await (const text of attach()) {
        const piece = Buffer.from(text);
        const old = piece.subarray(0, before - again.size);
        again.hash.update(old);
        again.size += old.length;
        if (old.length > 0 && again.size === before && !same(again.hash, had.hash)) {
          throw new LogUnfollowed(l10n.t('its log no longer begins as it did'));
        }
        const fresh = piece.subarray(old.length);
        if (fresh.length === 0) continue;
        had.hash.update(fresh);
        had.size += fresh.length;
        yield fresh;
      }
      whole = true;
    } catch (error) {
      signal.throwIfAborted();
      const unfollowed = reasonIn(error);
      if (unfollowed !== null) throw unfollowed;
      // A head that was started anew knows it no longer.
      whole = error instanceof RefusedAnswer && error.answer.status === 404;
    }
    if (whole && !(await lives())) return;
    if (had.size > before) wait = shortestWait;
    await sleep(time, wait, signal);
  }
}

const same = (one: Hash, other: Hash): boolean => one.copy().digest().equals(other.copy().digest());

/** Why no later attachment will fare better; null when one may. */
function reasonIn(error: unknown): Error | null {
  if (error instanceof RefusedAnswer) {
    const { status } = error.answer;
    return passing(status)
      ? null
      : new LogUnfollowed(l10n.t('status {0} instead of a WebSocket', status), { cause: error });
  }
  if (error instanceof BrokenExchange) {
    const lasting = ['certificate', 'proxy', 'protocol', 'size'].includes(error.kind);
    return lasting ? new LogUnfollowed(error.message, { cause: error }) : null;
  }
  return error instanceof Error ? error : new Error(String(error));
}
