/** A run's working time by the clock, folded from its events; reports and comparisons show it. */
import { epochSeconds, secondsInPhases } from '../../engine/epochTime.ts';
import type { JournalEvent } from '../../shared/journal/events.ts';

type Timed = Extract<JournalEvent, { seconds: number }>;

export class WorkedTime {
  /** Of the epoch under way, in order; null between epochs. */
  #phases: Timed[] | null = null;
  #startedAt = 0;
  #before = 0;
  #epoch = { seconds: 0, outside: 0 };

  /** Seconds until the event that was added last, pauses left out; of an unfinished epoch those of its phases. */
  get seconds(): number {
    return this.#before + secondsInPhases(this.#phases ?? [], this.#startedAt);
  }

  /** Of the epoch that finished last: its seconds, and those in which no phase was at work, evaluations aside. */
  get epoch(): Readonly<{ seconds: number; outside: number }> {
    return this.#epoch;
  }

  add(event: JournalEvent): void {
    if (event.type === 'epoch.started') {
      this.#phases = [];
      this.#startedAt = event.at;
    } else if (event.type === 'epoch.finished') {
      const phases = this.#phases ?? [];
      const seconds = epochSeconds(event, this.#startedAt, phases);
      const inside = secondsInPhases(
        phases.filter(({ type }) => type !== 'evaluated'),
        this.#startedAt,
      );
      this.#epoch = { seconds, outside: Math.max(0, seconds - inside) };
      this.#before += seconds;
      this.#phases = null;
    } else if (!('seconds' in event)) return;
    else if (this.#phases === null) this.#before += event.seconds;
    else this.#phases.push(event);
  }
}
