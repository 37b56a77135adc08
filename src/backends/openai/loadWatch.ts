/** Tells a scheduler what servers say of their own queues, while something is asked of them. */
import type { HttpClient } from '../http/httpClient.ts';
import { readLoad } from '../http/load.ts';
import type { Scheduler } from '../schedule/scheduler.ts';
import { sleep, type Time } from '../time.ts';

const between = 5000;
/** Above this share of its cache a server puts requests off, or computes them twice. */
const fullCache = 0.95;

/** Ends when the signal is aborted, and where a server has no metrics. */
export async function watchLoad(
  http: HttpClient,
  replica: number,
  scheduler: Pick<Scheduler, 'busy'>,
  time: Time,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (;;) {
      await sleep(time, between, signal);
      const load = await loadNow(http, signal);
      if (load === 'none') return;
      if (load !== 'unknown') {
        scheduler.busy(replica, { waiting: load.waiting ?? 0, full: (load.cache ?? 0) > fullCache });
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** `unknown`: it did not answer this time. */
async function loadNow(http: HttpClient, signal: AbortSignal) {
  try {
    return (await readLoad(http, signal)) ?? 'none';
  } catch (error) {
    if (signal.aborted) throw error;
    // Whatever it is, the requests themselves meet it, too.
    return 'unknown';
  }
}
