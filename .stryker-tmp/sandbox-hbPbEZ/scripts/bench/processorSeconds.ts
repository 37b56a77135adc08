import { threadCpuUsage } from 'node:process';

/** Seconds that this thread has had the processor: what other programs do not lengthen. */
export function processorSeconds(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1e6;
}
