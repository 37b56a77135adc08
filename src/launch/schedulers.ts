/** One scheduler for each server, whoever asks it: two policies that live there share its room and take fair turns. */
import { AdaptiveScheduler } from '../backends/schedule/adaptiveScheduler.ts';
import type { Time } from '../backends/time.ts';

export class Schedulers {
  readonly #time: Time;
  readonly #known = new Map<string, AdaptiveScheduler>();

  constructor(time: Time) {
    this.#time = time;
  }

  /** `limit`: most requests in flight at each replica; what was said first holds. */
  of(urls: readonly string[], limit: number | null): AdaptiveScheduler {
    const key = urls.map((url) => new URL(url).href).join(' ');
    const scheduler = this.#known.get(key) ?? new AdaptiveScheduler({ replicas: urls.length, limit, time: this.#time });
    this.#known.set(key, scheduler);
    return scheduler;
  }
}
