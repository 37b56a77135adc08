/** How every task's training attempts went, from the index alone: no record is read. */
import { CommonOdds, type Halves } from '../../../engine/math/splitHalf.ts';
import type { Task } from '../../../shared/records/task.ts';
import { Breather } from '../../../runs/files/breather.ts';
import type { RecordColumns } from '../../../runs/index/recordColumns.ts';
import { traceFlags } from '../../../runs/index/recordKind.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';
import type { LeftOut } from './leftOut.ts';
import type { RunReader } from '../../../runs/store/runReader.ts';
import { defined } from '../../../shared/defined.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** Training attempts at one task, over all epochs. */
export interface Tally {
  attempts: number;
  /** Those that the checker could judge; p̂ is of these. */
  judged: number;
  successes: number;
  /** Cut off at their length. */
  truncated: number;
  /** Epochs with attempts, as far as it matters: 0, 1, or 2 for more. */
  epochs: number;
  /** Judged attempts of one epoch differ in reward: they teach, whether or not one solved the task. */
  varied: boolean;
  halves: Halves;
  /** All tasks of its family in the last epoch that attempted it, itself included. */
  family: { attempts: number; successes: number };
  /** Attempts at it were left out. */
  partial?: LeftOut;
}

interface Counted {
  given: readonly Task[];
  leftOut: ReadonlyMap<string, LeftOut>;
  /** The first epoch whose attempts count. */
  since?: number | undefined;
}

/** Rows between two looks at how long the thread was held. */
const stride = 16 * 1024;

const length = 1;

/** Tasks by slot: rows of `tasks.jsonl`, then the given tasks that it does not hold. Typed arrays, one entry a slot. */
export class Tallies {
  readonly rows: number;
  /** Given tasks, from slot `rows` on. */
  readonly given: readonly Task[];
  readonly odds = new CommonOdds();
  /** Last epoch of the earlier half of the run. */
  readonly middle: number;
  readonly #tasks: RecordColumns;
  readonly #givenSlots = new Map<number, number>();
  readonly #counts: Record<'attempts' | 'judged' | 'successes' | 'truncated', Uint32Array>;
  readonly #earlier: Record<'judged' | 'successes', Uint32Array>;
  readonly #lastEpoch: Int32Array;
  readonly #epochs: Uint8Array;
  /** Reward of its first judged attempt in its last epoch; NaN without one. */
  readonly #reward: Float64Array;
  readonly #varied: Uint8Array;
  /** Row of `families` of its last attempt; −1 without one. */
  readonly #family: Int32Array;
  #families: { attempts: Uint32Array; successes: Uint32Array } = {
    attempts: new Uint32Array(0),
    successes: new Uint32Array(0),
  };

  /** By slot. */
  readonly #partial = new Map<number, LeftOut>();

  private constructor(tasks: RecordColumns, given: readonly Task[], middle: number) {
    this.#tasks = tasks;
    this.rows = tasks.count;
    this.given = given.filter(({ id }) => tasks.rowsOf(hashOf(id)).length === 0);
    this.middle = middle;
    for (const [i, { id }] of this.given.entries()) this.#givenSlots.set(keyOf(hashOf(id)), this.rows + i);
    const { slots } = this;
    const counts = () => new Uint32Array(slots);
    this.#counts = { attempts: counts(), judged: counts(), successes: counts(), truncated: counts() };
    this.#earlier = { judged: counts(), successes: counts() };
    this.#lastEpoch = new Int32Array(slots).fill(-1);
    this.#epochs = new Uint8Array(slots);
    this.#reward = new Float64Array(slots).fill(NaN);
    this.#varied = new Uint8Array(slots);
    this.#family = new Int32Array(slots).fill(-1);
  }

  /** Linear in the traces. @throws RunError; the signal's reason */
  static async of(run: RunReader, { given, leftOut, since = 0 }: Counted, signal?: AbortSignal): Promise<Tallies> {
    const { tasks, traces } = await run.rows();
    const { family, families, purpose } = await run.columns();
    const count = Math.min(traces.count, family.length);
    const counts = (row: number): boolean => purpose[row] === 0 && (traces.epoch[row] ?? outOfRange()) >= since;
    const tallies = new Tallies(tasks, given, middleOf(traces, counts, count));
    tallies.#families = families;
    const breather = new Breather();
    for (let row = 0; row < count; row++) {
      if (row % stride === 0) {
        await breather.breathe();
        signal?.throwIfAborted();
      }
      if (counts(row)) tallies.#add(traces, row, family[row] ?? outOfRange());
    }
    for (let slot = 0; slot < tallies.slots; slot++) tallies.odds.add(tallies.halvesAt(slot));
    for (const [id, how] of leftOut) tallies.#partial.set(tallies.slotOf(id), how);
    return tallies;
  }

  get slots(): number {
    return this.rows + this.given.length;
  }

  /** Judged attempts that did not succeed. */
  get failures(): number {
    const { judged, successes } = this.#counts;
    return judged.reduce((sum, count, slot) => sum + count - (successes[slot] ?? outOfRange()), 0);
  }

  /** Where a task is counted; −1 for one that the run does not have. */
  slotOf(id: string): number {
    return this.#slot(hashOf(id));
  }

  at(slot: number): Tally {
    const { attempts, judged, successes, truncated } = this.#counts;
    const group = this.#family[slot] ?? -1;
    return {
      attempts: attempts[slot] ?? outOfRange(),
      judged: judged[slot] ?? outOfRange(),
      successes: successes[slot] ?? outOfRange(),
      truncated: truncated[slot] ?? outOfRange(),
      epochs: this.#epochs[slot] ?? outOfRange(),
      varied: this.#varied[slot] === 1,
      halves: this.halvesAt(slot),
      family: {
        attempts: this.#families.attempts[group] ?? 0,
        successes: this.#families.successes[group] ?? 0,
      },
      ...defined({ partial: this.#partial.get(slot) }),
    };
  }

  halvesAt(slot: number): Halves {
    const attempts = this.#earlier.judged[slot] ?? outOfRange();
    const successes = this.#earlier.successes[slot] ?? outOfRange();
    return {
      earlier: { attempts, successes },
      later: {
        attempts: (this.#counts.judged[slot] ?? outOfRange()) - attempts,
        successes: (this.#counts.successes[slot] ?? outOfRange()) - successes,
      },
    };
  }

  #slot(hash: { low: number; high: number }): number {
    const [row] = this.#tasks.rowsOf(hash);
    return row !== undefined && row < this.rows ? row : (this.#givenSlots.get(keyOf(hash)) ?? -1);
  }

  #add(traces: RecordColumns, row: number, family: number): void {
    const slot = this.#slot({ low: traces.taskLow[row] ?? outOfRange(), high: traces.taskHigh[row] ?? outOfRange() });
    if (slot < 0) return;
    const bits = traces.flags[row] ?? outOfRange();
    const epoch = traces.epoch[row] ?? outOfRange();
    const { attempts, judged, successes, truncated } = this.#counts;
    bump(attempts, slot);
    if (((bits >>> traceFlags.stopShift) & 3) === length) bump(truncated, slot);
    if (this.#lastEpoch[slot] !== epoch) {
      this.#epochs[slot] = Math.min(2, (this.#epochs[slot] ?? outOfRange()) + 1);
      this.#reward[slot] = NaN;
    }
    this.#lastEpoch[slot] = epoch;
    this.#family[slot] = family;
    if ((bits & traceFlags.unjudged) !== 0) return;
    const success = (bits & traceFlags.success) !== 0;
    const reward = traces.value[row] ?? outOfRange();
    const first = this.#reward[slot] ?? outOfRange();
    if (Number.isNaN(first)) this.#reward[slot] = reward;
    else if (reward !== first) this.#varied[slot] = 1;
    bump(judged, slot);
    if (success) bump(successes, slot);
    if (epoch > this.middle) return;
    bump(this.#earlier.judged, slot);
    if (success) bump(this.#earlier.successes, slot);
  }
}

const bump = (counts: Uint32Array, at: number): void => {
  counts[at] = (counts[at] ?? outOfRange()) + 1;
};

/** 53 bits of a hash as a number, the most efficient key of a Map. */
const keyOf = ({ low, high }: { low: number; high: number }): number => low * 2 ** 21 + (high >>> 11);

function middleOf({ epoch }: RecordColumns, counts: (row: number) => boolean, count: number): number {
  let [first, last] = [Infinity, -Infinity];
  for (let row = 0; row < count; row++) {
    if (!counts(row)) continue;
    first = Math.min(first, epoch[row] ?? outOfRange());
    last = Math.max(last, epoch[row] ?? outOfRange());
  }
  return Math.floor((first + last) / 2);
}
