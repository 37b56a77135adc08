/** Asks servers how busy they are, by their own metrics, as long as they have work of ours. */
import type { Log } from '../../engine/ports.ts';
import { EndpointError } from '../endpointError.ts';
import type { HttpClient } from '../http/httpClient.ts';
import { readLoad, type ServerLoad } from '../http/load.ts';
import { sleep, type Time } from '../time.ts';
import type { Busyness, Scheduler } from './scheduler.ts';
import { messageOf } from '../../shared/messageOf.ts';

const interval = 5_000;
/** A cache this full puts requests off, or computes again what it had to drop. */
const fullCache = 0.95;
/** A few that wait are taken in the next batch. */
const tolerated = 0.05;

/** `replicas`: the scheduler's servers, in its order. Each until it is closed; one that tells nothing is not asked again. */
export function watchLoad(
  scheduler: Pick<Scheduler, 'busy' | 'load'>,
  replicas: readonly HttpClient[],
  time: Time,
  log: Pick<Log, 'info'>,
): void {
  for (const [replica, http] of replicas.entries()) {
    follow(scheduler, replica, http, time).catch((error: unknown) => {
      if (http.closed.aborted) return;
      log.info(`${http.url}: its metrics are no longer read: ${messageOf(error)}`);
    });
  }
}

async function follow(
  scheduler: Pick<Scheduler, 'busy' | 'load'>,
  replica: number,
  http: HttpClient,
  time: Time,
): Promise<void> {
  for (;;) {
    await sleep(time, interval, http.closed);
    if (scheduler.load.inFlight === 0) continue;
    const load = await loadNow(http);
    if (load === 'none') return;
    if (load !== 'unknown') scheduler.busy(replica, busynessOf(load));
  }
}

/** `unknown`: it did not answer this time, or refused to, which the requests themselves meet, too. */
async function loadNow(http: HttpClient): Promise<ServerLoad | 'none' | 'unknown'> {
  try {
    return (await readLoad(http, http.closed)) ?? 'none';
  } catch (error) {
    if (EndpointError.is(error)) return 'unknown';
    throw error;
  }
}

export function busynessOf({ running, waiting, cache }: ServerLoad): Busyness {
  const queue = waiting ?? 0;
  return { waiting: queue > tolerated * running ? queue : 0, full: (cache ?? 0) > fullCache };
}
