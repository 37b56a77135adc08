import { items, maxNumber, type Concept, type Item } from './vocabulary.ts';

/** The initial stock of every item. */
const openingStock = 9;

/** A call that the store refuses: it would leave less than nothing. */
export class StoreUnderflow extends Error {
  readonly reason = 'underflow';
  readonly item: Item;
  readonly wanted: number;
  readonly left: number;

  constructor(item: Item, wanted: number, left: number) {
    super(`${wanted} ${item} wanted, ${left} left`);
    this.name = 'StoreUnderflow';
    this.item = item;
    this.wanted = wanted;
    this.left = left;
  }
}

/** The shelves that calls act on. */
export class Store {
  readonly #levels = new Map<Item, number>(items.map((item) => [item, openingStock]));

  level(item: Item): number {
    return this.#levels.get(item) ?? 0;
  }

  /** Applies one operation; gives what is left of the item. @throws StoreUnderflow, and nothing has changed */
  apply(concept: Concept, item: Item, value: number | null): number {
    const level = this.level(item);
    const amount = value ?? 0;
    if (concept === 'decrease' && amount > level) throw new StoreUnderflow(item, amount, level);
    const next = {
      increase: level + amount,
      decrease: level - amount,
      set: amount,
      get: level,
      clear: 0,
      double: level * 2,
    }[concept];
    this.#levels.set(item, next);
    return next;
  }
}

/** A call's answer: `left 12`, or `left many` beyond the largest number that has a word. */
export function stockReport(level: number): string {
  return `left ${level > maxNumber ? 'many' : level}`;
}
