/** A run's measurements of one kind, each beside the first that was measured alike. */
import { measureChange, type MeasureChange, type measuredBy } from '../../shared/journal/measures.ts';

interface Found<T> {
  event: T;
  /** Null where it is that one itself. */
  first: T | null;
  /** The last change before it; null before any. */
  measure: MeasureChange | null;
}

export class ComparedFold<T extends { epoch: number }> {
  readonly #what: keyof typeof measuredBy;
  readonly #events = new Map<number, Omit<Found<T>, 'first'>>();
  /** By the epoch of the change after which they came. */
  readonly #firsts = new Map<number | null, T>();

  constructor(what: keyof typeof measuredBy) {
    this.#what = what;
  }

  /** In order. */
  get epochs(): number[] {
    return [...this.#events.keys()].sort((a, b) => a - b);
  }

  /** @param changes of settings before it, in order */
  add(event: T, changes: readonly { field: string; epoch: number }[]): void {
    const measure = measureChange(this.#what, changes);
    const since = measure?.epoch ?? null;
    this.#events.set(event.epoch, { event, measure });
    if (event.epoch <= (this.#firsts.get(since)?.epoch ?? Infinity)) this.#firsts.set(since, event);
  }

  /** The first and the last that were measured as the next one is. @param changes of settings so far */
  ends(changes: readonly { field: string; epoch: number }[]): { first: T | null; last: T | null } {
    const since = measureChange(this.#what, changes)?.epoch ?? null;
    const alike = [...this.#events.values()].filter(({ measure }) => (measure?.epoch ?? null) === since);
    const last = alike
      .map(({ event }) => event)
      .sort((a, b) => a.epoch - b.epoch)
      .at(-1);
    return { first: this.#firsts.get(since) ?? null, last: last ?? null };
  }

  at(epoch: number): Found<T> | undefined {
    const found = this.#events.get(epoch);
    if (found === undefined) return undefined;
    const first = this.#firsts.get(found.measure?.epoch ?? null);
    return { ...found, first: first === undefined || first === found.event ? null : first };
  }
}
