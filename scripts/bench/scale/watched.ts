/** The costs of a work to this process: how long its thread is held at the longest, and memory beyond the one before. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Watched<T> {
  told: T;
  /** Milliseconds of processor time between two turns of the loop, at the longest. */
  held: number;
  /** Bytes, at the most, beyond what the process had before. */
  memory: number;
  /** The same at the end of each quarter of the time. */
  quarters: number[];
}

export async function watched<T>(work: () => Promise<T>): Promise<Watched<T>> {
  const before = process.memoryUsage.rss();
  const done = { yet: false };
  const result = work().finally(() => (done.yet = true));
  // Awaited below, which reports errors.
  result.catch(() => undefined);
  const seen: number[] = [];
  let held = 0;
  for (let used = thread(); !done.yet;) {
    await sleep(2);
    const now = thread();
    held = Math.max(held, now - used);
    used = now;
    seen.push(process.memoryUsage.rss() - before);
  }
  const told = await result;
  const quarters = [0.25, 0.5, 0.75, 1].map((part) => seen[Math.ceil(seen.length * part) - 1] ?? 0);
  return { told, held, memory: seen.reduce((a, b) => Math.max(a, b), 0), quarters };
}

/** Milliseconds of processor time that this thread has used. */
function thread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
