/**
 * The servers of a process. One scheduler for each, shared by all clients: two policies on a server share its room and take
 * fair turns.
 */
import { AdaptiveScheduler } from '../../endpoints/schedule/adaptiveScheduler.ts';
import { Silences } from '../../endpoints/http/silences.ts';
import type { Scheduler } from '../../endpoints/schedule/scheduler.ts';
import type { Time } from '../../endpoints/time.ts';

export class Schedulers {
  /** Its servers that answer nothing. */
  readonly silences: Silences;
  readonly #time: Time;
  readonly #known = new Map<string, { urls: readonly string[]; scheduler: AdaptiveScheduler }>();

  constructor(time: Time) {
    this.#time = time;
    this.silences = new Silences(time);
  }

  /**
   * `limit`: most requests in flight at each replica; the first given limit counts. `starts`: in flight at each at first, where
   * that is known and the server is not in use already.
   */
  of(urls: readonly string[], limit: number | null, starts: readonly (number | undefined)[] = []): AdaptiveScheduler {
    const key = urls.map((url) => new URL(url).href).join(' ');
    const known = this.#known.get(key)?.scheduler;
    const scheduler = known ?? new AdaptiveScheduler({ replicas: urls.length, limit, starts, time: this.#time });
    this.#known.set(key, { urls, scheduler });
    return scheduler;
  }

  /** The load of each server from this process. */
  get loads(): readonly ServerShare[] {
    return [...this.#known.values()].map(({ urls, scheduler }) => ({ urls, load: scheduler.load }));
  }
}

/** The load of one server and its replicas. */
export interface ServerShare {
  urls: readonly string[];
  load: Scheduler['load'];
}
