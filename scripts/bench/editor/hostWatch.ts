/** Inside the extension host: how long its thread is held at a time, and how much memory its process takes. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface HostWatch {
  /** Milliseconds of processor time between two turns of the loop, ascending. */
  held: number[];
  /** The same by the clock. */
  gaps: number[];
  /** Bytes, at the most, beyond what the process had before. */
  memory: number;
}

/** Watches while something is done. */
export async function watchHost(work: () => Promise<unknown>): Promise<HostWatch> {
  const before = process.memoryUsage.rss();
  const [held, gaps]: [number[], number[]] = [[], []];
  let most = before;
  const done = { yet: false };
  const end = work().finally(() => (done.yet = true));
  // Awaited below, which reports errors.
  end.catch(() => undefined);
  for (let last = performance.now(), cpu = thread(); !done.yet;) {
    await sleep(2);
    const [now, used] = [performance.now(), thread()];
    held.push(used - cpu);
    gaps.push(now - last);
    [last, cpu] = [now, used];
    most = Math.max(most, process.memoryUsage.rss());
  }
  await end;
  return { held: held.sort(ascending), gaps: gaps.sort(ascending), memory: most - before };
}

/** The value that a share of them does not exceed. */
export const at = (values: readonly number[], share: number): number =>
  values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

const ascending = (a: number, b: number): number => a - b;

/** Milliseconds of processor time that this thread has used. */
function thread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
