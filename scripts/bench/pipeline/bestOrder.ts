/**
 * The same answers begun in another order, by list scheduling: what an order could reach that knows this much. A text
 * releases the attempts at it.
 */
import type { Served } from './slots.ts';

/** Milliseconds that an answer is expected to take, by what is known before it begins. */
export type Knowledge = (answer: Served) => number;

interface Waiting {
  urgency: number;
  milliseconds: number;
  /** Attempts that follow it. */
  next: readonly Waiting[];
}

/**
 * Milliseconds of all epochs together with their updates, the most urgent first: a text counts with the longest attempt
 * that is expected at it.
 */
export function timeInOrder(
  served: readonly Served[],
  { slots, update }: { slots: number; update: number },
  knowledge: Knowledge,
): number {
  const epochs = Map.groupBy(served, ({ id }) => id.split('.')[0] ?? '');
  return [...epochs.values()].reduce((sum, own) => sum + scheduled(waitingOf(own, knowledge), slots) + update, 0);
}

/** A text's request is named `e3.f2/1` for all variations of a family, an attempt's by its task: `e3.f2.v1`. */
function waitingOf(served: readonly Served[], knowledge: Knowledge): Waiting[] {
  const attempts = Map.groupBy(
    served.filter(({ id }) => !id.includes('/')),
    ({ id }) => id,
  );
  return served
    .filter(({ id }) => id.includes('/'))
    .map((text) => {
      const next = (attempts.get(`${text.id.split('/')[0] ?? ''}.v${text.index}`) ?? []).map((one) => ({
        ...{ urgency: knowledge(one), milliseconds: one.milliseconds, next: [] },
      }));
      const longest = next.reduce((most, { urgency }) => Math.max(most, urgency), 0);
      return { urgency: knowledge(text) + longest, milliseconds: text.milliseconds, next };
    });
}

/** Milliseconds until the last has ended. */
function scheduled(texts: readonly Waiting[], slots: number): number {
  const waiting = new Heap<Waiting>(({ urgency }) => -urgency);
  const underWay = new Heap<{ at: number; next: readonly Waiting[] }>(({ at }) => at);
  let now = 0;
  const begin = (): void => {
    while (underWay.size < slots) {
      const one = waiting.take();
      if (one === null) return;
      underWay.add({ at: now + one.milliseconds, next: one.next });
    }
  };
  for (const text of texts) waiting.add(text);
  begin();
  for (let ended = underWay.take(); ended !== null; ended = underWay.take()) {
    now = ended.at;
    for (const one of ended.next) waiting.add(one);
    begin();
  }
  return now;
}

/** The least first; among equals the first added. */
class Heap<T> {
  readonly #keyOf: (item: T) => number;
  readonly #sorted: { key: number; item: T }[] = [];

  constructor(keyOf: (item: T) => number) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return this.#sorted.length;
  }

  add(item: T): void {
    const key = this.#keyOf(item);
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      // The least stands last, where taking it is cheap.
      if ((this.#sorted[middle]?.key ?? -Infinity) > key) low = middle + 1;
      else high = middle;
    }
    this.#sorted.splice(low, 0, { key, item });
  }

  take(): T | null {
    return this.#sorted.pop()?.item ?? null;
  }
}
