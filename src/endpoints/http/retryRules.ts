/** When a request is sent again, and after how long: the rules that the hosted services' own clients follow. */

/** Longest wait a server may ask for, in milliseconds. */
const longestAsked = 60_000;

/** min(0.5 · 2^k, 30) s, less up to a quarter by chance. `k` counts from 0. */
export function backOff(k: number, random: () => number): number {
  return Math.min(500 * 2 ** Math.min(k, 16), 30_000) * (1 - 0.25 * random());
}

/** Milliseconds the server asks to wait; null when it does not say or says nonsense. */
export function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  const inMilliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (inMilliseconds >= 0) return Math.min(inMilliseconds, longestAsked);
  const asked = headers['retry-after'];
  if (asked === undefined) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(asked)) return Math.min(Number(asked) * 1000, longestAsked);
  // A date is held against the server's own clock: ours may be wrong.
  const wait = Date.parse(asked) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), longestAsked);
}

/** Whether another try may help: the server's own word first, then the status. */
export function mayHelp(status: number, headers: Readonly<Record<string, string>>): boolean {
  if (headers['x-should-retry'] === 'true') return true;
  if (headers['x-should-retry'] === 'false') return false;
  if (status === 501 || status === 505) return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** 409: another try of the same request is still at work. It ends soon, or the conflict is real. */
export const conflictTries = 3;

/** Statuses by which a server says that it has too much to do. */
export const isRefusal = (status: number): boolean => status === 429 || status === 503 || status === 529;
