import type { RecordColumns } from '../index/recordColumns.ts';
import { traceFlags } from '../index/recordKind.ts';
import { outOfRange } from '../../shared/outOfRange.ts';

/**
 * Every trace of a run as columns, one entry a trace in the order written. Arrays are views into the index: read them,
 * do not keep them beyond the reader.
 */
export interface TraceColumns {
  readonly count: number;
  readonly epoch: Uint32Array;
  /** Shaped reward, 0…1. */
  readonly reward: Float64Array;
  /** 1 solved. */
  readonly success: Uint8Array;
  /** 1 where the checker judged the attempt; others do not count in p̂. */
  readonly judged: Uint8Array;
  /** 1 where the attempt may enter the agent pool. */
  readonly valid: Uint8Array;
  /** 0 train, 1 validation, 2 rank. */
  readonly purpose: Uint8Array;
  /** Bytes of the record. */
  readonly length: Uint32Array;
  /** Which family's attempts it belongs to: dense numbers, one a family, epoch and purpose, in order of appearance. */
  readonly family: Uint32Array;
  readonly families: FamilyColumns;
}

/** One entry a family, epoch and purpose. */
interface FamilyColumns {
  readonly count: number;
  readonly epoch: Uint32Array;
  readonly purpose: Uint8Array;
  readonly attempts: Uint32Array;
  readonly successes: Uint32Array;
  /** p̂ = successes / attempts; NaN without attempts. */
  readonly successRate: Float64Array;
  /** Row of the family's first trace. */
  readonly firstTrace: Uint32Array;
}

/** Rows folded between two turns of the event loop, so that a live host never stops for long. */
const stride = 64 * 1024;

/** Folds the index of traces into columns and families. */
export async function foldTraceColumns(rows: RecordColumns): Promise<TraceColumns> {
  const { count } = rows;
  const success = new Uint8Array(count);
  const judged = new Uint8Array(count);
  const valid = new Uint8Array(count);
  const purpose = new Uint8Array(count);
  const family = new Uint32Array(count);
  const grouping = new FamilyGrouping(rows);
  for (let from = 0; from < count; from += stride) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    const to = Math.min(count, from + stride);
    for (let row = from; row < to; row++) {
      const flags = rows.flags[row] ?? outOfRange();
      success[row] = flags & traceFlags.success;
      valid[row] = flags & traceFlags.valid ? 1 : 0;
      judged[row] = flags & traceFlags.unjudged ? 0 : 1;
      purpose[row] = (flags >>> traceFlags.purposeShift) & 3;
      family[row] = grouping.add(
        row,
        purpose[row] ?? outOfRange(),
        judged[row] ?? outOfRange(),
        success[row] ?? outOfRange(),
      );
    }
  }
  return {
    count,
    epoch: rows.epoch.subarray(0, count),
    reward: rows.value.subarray(0, count),
    success,
    judged,
    valid,
    purpose,
    length: rows.length.subarray(0, count),
    family,
    families: grouping.columns(),
  };
}

/** Numbers (family, epoch, purpose) densely by open addressing, and counts attempts and successes of each. */
class FamilyGrouping {
  readonly #rows: RecordColumns;
  #count = 0;
  #table = new Uint32Array(1024);
  #first = new Uint32Array(512);
  #purpose = new Uint8Array(512);
  #attempts = new Uint32Array(512);
  #successes = new Uint32Array(512);

  constructor(rows: RecordColumns) {
    this.#rows = rows;
  }

  add(row: number, purpose: number, judged: number, success: number): number {
    const group = this.#find(row, purpose);
    this.#attempts[group] = (this.#attempts[group] ?? outOfRange()) + judged;
    this.#successes[group] = (this.#successes[group] ?? outOfRange()) + (judged & success);
    return group;
  }

  columns(): FamilyColumns {
    const count = this.#count;
    const attempts = this.#attempts.slice(0, count);
    const successes = this.#successes.slice(0, count);
    const firstTrace = this.#first.slice(0, count);
    return {
      count,
      epoch: firstTrace.map((row) => this.#rows.epoch[row] ?? outOfRange()),
      purpose: this.#purpose.slice(0, count),
      attempts,
      successes,
      successRate: Float64Array.from(attempts, (tried, group) => (successes[group] ?? outOfRange()) / tried),
      firstTrace,
    };
  }

  #find(row: number, purpose: number): number {
    const { familyLow, familyHigh, epoch } = this.#rows;
    const mask = this.#table.length - 1;
    for (let slot = this.#slotOf(row, purpose); ; slot = (slot + 1) & mask) {
      const entry = this.#table[slot] ?? outOfRange();
      if (entry === 0) return this.#insert(row, purpose, slot);
      const first = this.#first[entry - 1] ?? outOfRange();
      if (
        familyLow[first] === familyLow[row] &&
        familyHigh[first] === familyHigh[row] &&
        epoch[first] === epoch[row] &&
        this.#purpose[entry - 1] === purpose
      ) {
        return entry - 1;
      }
    }
  }

  #slotOf(row: number, purpose: number): number {
    const { familyLow, epoch } = this.#rows;
    const key = (familyLow[row] ?? outOfRange()) ^ Math.imul((epoch[row] ?? outOfRange()) * 4 + purpose, 0x9e3779b1);
    return key & (this.#table.length - 1);
  }

  #insert(row: number, purpose: number, slot: number): number {
    const group = this.#count;
    this.#count += 1;
    this.#first[group] = row;
    this.#purpose[group] = purpose;
    this.#table[slot] = group + 1;
    if (this.#count === this.#first.length) this.#grow();
    return group;
  }

  #grow(): void {
    const size = this.#count * 2;
    const grow = (old: Uint32Array) => {
      const next = new Uint32Array(size);
      next.set(old);
      return next;
    };
    const purposeOf = new Uint8Array(size);
    purposeOf.set(this.#purpose);
    this.#purpose = purposeOf;
    this.#first = grow(this.#first);
    this.#attempts = grow(this.#attempts);
    this.#successes = grow(this.#successes);
    this.#table = new Uint32Array(size * 2);
    const mask = this.#table.length - 1;
    for (let group = 0; group < this.#count; group++) {
      let slot = this.#slotOf(this.#first[group] ?? outOfRange(), this.#purpose[group] ?? outOfRange());
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#table[slot] = group + 1;
    }
  }
}
