/**
 * Families in the order in which they are drawn: epoch by epoch, hardest first. Each epoch's column then is a small
 * curve of its own, marks never overlap by chance, and a range of p̂ is found by binary search. Pure.
 */
import type { FamilyColumns } from '../../../src/shared/calibration/familyColumns.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

/** One epoch's places, from `from` up to `to`; families without a judged attempt have no p̂ and no place. */
export interface Stretch {
  epoch: number;
  from: number;
  to: number;
}

export class CloudIndex {
  readonly columns: FamilyColumns;
  readonly stretches: Stretch[] = [];
  /** By place: which family, its p̂, and how many of those before it the filter kept. Longer than `count`. */
  family = new Uint32Array(256);
  rate = new Float32Array(256);
  #keptBefore = new Uint32Array(257);
  count = 0;
  readonly #byEpoch = new Map<number, Stretch>();
  #epochs = 0;
  #domain: string | null = null;

  constructor(columns: FamilyColumns) {
    this.columns = columns;
  }

  /** Takes in the families of one of several domains only; of all for null. */
  choose(domain: string | null): void {
    if (domain === this.#domain) return;
    this.#domain = domain;
    this.clear();
    this.sync();
  }

  /** Takes in the epochs that came since. */
  sync(): void {
    const { epochs } = this.columns;
    for (; this.#epochs < epochs.length; this.#epochs += 1) {
      const scored = epochs[this.#epochs];
      if (scored !== undefined) this.#add(scored.epoch, scored.from, scored.to);
    }
  }

  clear(): void {
    this.stretches.length = 0;
    this.#byEpoch.clear();
    this.count = 0;
    this.#epochs = 0;
  }

  stretch(epoch: number): Stretch | undefined {
    return this.#byEpoch.get(epoch);
  }

  /** First and end of the stretches with epochs between two. */
  between(first: number, last: number): [number, number] {
    return [this.#firstFrom(first), this.#firstFrom(last + 1)];
  }

  /** First place of a stretch whose p̂ is at least `p`. */
  placeOf({ from, to }: Stretch, p: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.rate[middle] ?? outOfRange()) < p) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** How many of the families from one place up to another the filter kept. */
  keptBetween(from: number, to: number): number {
    return (this.#keptBefore[to] ?? outOfRange()) - (this.#keptBefore[from] ?? outOfRange());
  }

  /** How many families of these epochs have a p̂ in a range, and how many of them the filter kept. */
  countIn(epochs: readonly [number, number], rates: readonly [number, number]): Selected {
    const selected = { families: 0, kept: 0, epochs: 0 };
    for (const { from, to } of this.stretchesIn(epochs, rates)) {
      selected.epochs += 1;
      selected.families += to - from;
      selected.kept += this.keptBetween(from, to);
    }
    return selected;
  }

  /** The families that `countIn` counts: of each epoch that has some, where they stand. */
  stretchesIn([first, last]: readonly [number, number], [low, high]: readonly [number, number]): Stretch[] {
    return this.stretches.slice(...this.between(first, last)).flatMap((stretch) => {
      // Rates are kept in single precision: a bound of 0.6 must still find 0.6.
      const [from, to] = [this.placeOf(stretch, low - slack), this.placeOf(stretch, high + slack)];
      return to > from ? [{ epoch: stretch.epoch, from, to }] : [];
    });
  }

  #firstFrom(epoch: number): number {
    let [low, high] = [0, this.stretches.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.stretches[middle]?.epoch ?? 0) < epoch) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #add(epoch: number, from: number, to: number): void {
    const { successes, attempts, kept } = this.columns;
    const rateOf = (family: number): number => (successes[family] ?? outOfRange()) / (attempts[family] ?? 1);
    const measured = Uint32Array.from({ length: to - from }, (_, i) => from + i).filter(
      (family) => (attempts[family] ?? outOfRange()) > 0 && this.#isChosen(family),
    );
    measured.sort((a, b) => rateOf(a) - rateOf(b) || a - b);
    const start = this.count;
    this.#reserve(start + measured.length);
    for (const [i, family] of measured.entries()) {
      this.family[start + i] = family;
      this.rate[start + i] = rateOf(family);
      const before = this.#keptBefore[start + i] ?? outOfRange();
      this.#keptBefore[start + i + 1] = before + ((kept[family] ?? outOfRange()) > 0 ? 1 : 0);
    }
    this.count = start + measured.length;
    const stretch = { epoch, from: start, to: this.count };
    this.stretches.push(stretch);
    this.#byEpoch.set(epoch, stretch);
  }

  #isChosen(family: number): boolean {
    return this.#domain === null || this.columns.domainOf(family) === this.#domain;
  }

  #reserve(count: number): void {
    if (count <= this.family.length) return;
    const [family, rate] = [new Uint32Array(2 * count), new Float32Array(2 * count)];
    const keptBefore = new Uint32Array(2 * count + 1);
    family.set(this.family);
    rate.set(this.rate);
    keptBefore.set(this.#keptBefore);
    [this.family, this.rate, this.#keptBefore] = [family, rate, keptBefore];
  }
}

const slack = 1e-6;

export interface Selected {
  families: number;
  kept: number;
  /** Epochs with at least one of them. */
  epochs: number;
}
