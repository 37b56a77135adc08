/** One scheduler for each server, whoever asks it: two policies that live there share its room and take fair turns. */
import { AdaptiveScheduler } from '../../endpoints/schedule/adaptiveScheduler.ts';
import type { Scheduler } from '../../endpoints/schedule/scheduler.ts';
import type { Time } from '../../endpoints/time.ts';

export class Schedulers {
  readonly #time: Time;
  readonly #known = new Map<string, { urls: readonly string[]; scheduler: AdaptiveScheduler }>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** `limit`: most requests in flight at each replica; what was said first holds. */
  of(urls: readonly string[], limit: number | null): AdaptiveScheduler {
    const key = urls.map((url) => new URL(url).href).join(' ');
    const known = this.#known.get(key)?.scheduler;
    const scheduler = known ?? new AdaptiveScheduler({ replicas: urls.length, limit, time: this.#time });
    this.#known.set(key, { urls, scheduler });
    return scheduler;
  }

  /** How busy each server is with what is asked from here. */
  get loads(): readonly ServerShare[] {
    return [...this.#known.values()].map(({ urls, scheduler }) => ({ urls, load: scheduler.load }));
  }
}

/** What goes on at one server and its replicas. */
export interface ServerShare {
  urls: readonly string[];
  load: Scheduler['load'];
}
