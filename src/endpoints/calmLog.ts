/** A log that a bad night does not flood. */
import type { Log } from '../engine/ports.ts';

/** Distinct messages to count; beyond this, all counts restart. */
const most = 1000;

/** Logs messages that differ only in their numbers once, then again at the 10th, 100th, 1,000th … time. */
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
