/** A log that a bad night does not flood. */
import type { Log } from '../engine/ports.ts';

/** Messages that are told apart at most; then counting begins anew. */
const most = 1000;

/** What differs only in its numbers is told once, and again when it has come 10, 100, 1,000 … times. */
export function calmLog(log: Log): Log {
  const counts = new Map<string, number>();
  const calm = (tell: (message: string) => void) => (message: string) => {
    const key = message.replaceAll(/\d+(?:\.\d+)?/g, '#');
    const count = (counts.get(key) ?? 0) + 1;
    if (counts.size >= most) counts.clear();
    counts.set(key, count);
    if (count === 1) tell(message);
    else if (/^10+$/.test(String(count))) tell(`${message} (${count} times by now)`);
  };
  return { info: calm((message) => log.info(message)), warn: calm((message) => log.warn(message)) };
}
