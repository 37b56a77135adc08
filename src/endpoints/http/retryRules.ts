/** When a request is sent again, and after how long: the rules that the hosted services' own clients follow. */

/** Longest wait a server may ask for, in milliseconds. */
const longestAsked = 60_000;

/** min(0.5 · 2^k, 30) s, less up to a quarter by chance. `k` counts from 0. */
export function backOff(k: number, random: () => number): number {
  return Math.min(500 * 2 ** Math.min(k, 16), 30_000) * (1 - 0.25 * random());
}

/** Milliseconds the server asks to wait; null when it does not say, asks for no wait or says nonsense. */
export function retryAfter(headers: Readonly<Record<string, string>>): number | null {
  const wait = askedWait(headers);
  // Tries without any wait would be used up before it can have recovered.
  return wait > 0 ? Math.min(wait, longestAsked) : null;
}

/** NaN when it does not say. */
function askedWait(headers: Readonly<Record<string, string>>): number {
  const inMilliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (inMilliseconds > 0) return inMilliseconds;
  const asked = headers['retry-after'] ?? '';
  if (/^\s*\d+(\.\d+)?\s*$/.test(asked)) return Number(asked) * 1000;
  // A date is held against the server's own clock: ours may be wrong.
  return Date.parse(asked) - Date.parse(headers['date'] ?? '');
}

/** Whether another try may help: the server's own word first, then the status. */
export function mayHelp(status: number, headers: Readonly<Record<string, string>>): boolean {
  if (headers['x-should-retry'] === 'true') return true;
  if (headers['x-should-retry'] === 'false') return false;
  if (status === 501 || status === 505) return false;
  // 425 and 499 are a proxy's: it may not repeat an early request, or the one who asked it hung up.
  return [408, 409, 425, 429, 499].includes(status) || status >= 500;
}

/** 409: another try of the same request is still at work. It ends soon, or the conflict is real. */
export const conflictTries = 3;

/** Statuses by which a server says that it has too much to do. */
export const isRefusal = (status: number): boolean => status === 429 || status === 503 || status === 529;
