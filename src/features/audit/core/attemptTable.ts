/** The audit's data of every attempt: typed arrays, 45 bytes an attempt, for conversations of any length. */
import type { Verdict } from '../../../shared/records/trace.ts';
import { HashTable } from '../../../shared/hashTable.ts';
import { hashOf, type Hash } from '../../../runs/index/recordRow.ts';
import { hasContent, isFormOnly, nearly } from './answerText.ts';
import type { LastFault } from './lastAction.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** The audited parts of one judged attempt. */
export interface AuditedAttempt {
  /** Row of the trace among the run's records. */
  row: number;
  task: string;
  family: string;
  epoch: number;
  verdict: Pick<Verdict, 'success' | 'reward'>;
  /** It ended by itself. */
  finished: boolean;
  /** The whole conversation. */
  said: string;
  /** The agent's last message. */
  answer: string;
  /** The answer parsed by the task's rule; null where that is impossible. */
  final: string | null;
  gold: string | null;
  last: LastFault | null;
}

const flags = { success: 1, finished: 2, formOnly: 4, answered: 8, lastShift: 4 } as const;
const faults: readonly (LastFault | null)[] = [null, 'failed', 'unreadable', 'another'];

export class AttemptTable {
  #count = 0;
  readonly #records: Uint32Array;
  readonly #reward: Float64Array;
  readonly #length: Uint32Array;
  readonly #flags: Uint8Array;
  readonly #said: Record<keyof Hash, Uint32Array>;
  readonly #near: Uint32Array;
  readonly #final: Uint32Array;
  readonly #groups: Numbers;
  readonly #families: Numbers;

  /** @param most attempts that will ever be added */
  constructor(most: number) {
    const words = (): Uint32Array => new Uint32Array(most);
    this.#records = words();
    this.#reward = new Float64Array(most);
    this.#length = words();
    this.#flags = new Uint8Array(most);
    this.#said = { low: words(), high: words() };
    this.#near = words();
    this.#final = words();
    this.#groups = new Numbers(most);
    this.#families = new Numbers(most);
  }

  get count(): number {
    return this.#count;
  }

  add({ row, task, family, epoch, verdict, finished, said, answer, final, gold, last }: AuditedAttempt): void {
    const at = this.#count++;
    this.#records[at] = row;
    this.#reward[at] = verdict.reward;
    this.#length[at] = answer.length;
    const formOnly = isFormOnly(answer) && gold !== null && hasContent(gold);
    this.#flags[at] =
      (verdict.success ? flags.success : 0) |
      (finished ? flags.finished : 0) |
      (formOnly ? flags.formOnly : 0) |
      (final === null ? 0 : flags.answered) |
      (faults.indexOf(last) << flags.lastShift);
    const { low, high } = hashOf(said);
    this.#said.low[at] = low;
    this.#said.high[at] = high;
    this.#near[at] = hashOf(nearly(said)).low;
    this.#final[at] = final === null ? 0 : hashOf(nearly(final)).low;
    this.#groups.add(at, `${epoch} ${task}`);
    this.#families.add(at, `${epoch} ${family}`);
  }

  /** Attempts at one task in one epoch, group by group. */
  groups(): Iterable<Uint32Array> {
    return this.#groups.members(this.#count);
  }

  /** Attempts at one family in one epoch. */
  families(): Iterable<Uint32Array> {
    return this.#families.members(this.#count);
  }

  /** Its row among the run's traces. */
  record = (at: number): number => this.#records[at] ?? outOfRange();
  reward = (at: number): number => this.#reward[at] ?? outOfRange();
  /** UTF-16 units of the agent's last message. */
  length = (at: number): number => this.#length[at] ?? outOfRange();
  succeeded = (at: number): boolean => this.#has(at, flags.success);
  finished = (at: number): boolean => this.#has(at, flags.finished);
  formOnly = (at: number): boolean => this.#has(at, flags.formOnly);
  last = (at: number): LastFault | null => faults[(this.#flags[at] ?? outOfRange()) >>> flags.lastShift] ?? null;
  /** Equal for attempts of one group with literally the same conversation. */
  said = (at: number): string => `${this.#said.low[at]} ${this.#said.high[at]}`;
  /** Equal for attempts of one group with nearly the same answer. */
  near = (at: number): number => this.#near[at] ?? outOfRange();
  /** Equal for attempts of one group with the same answer; null where none can be read. */
  final = (at: number): number | null => (this.#has(at, flags.answered) ? (this.#final[at] ?? outOfRange()) : null);

  #has(at: number, flag: number): boolean {
    return ((this.#flags[at] ?? outOfRange()) & flag) !== 0;
  }
}

/** Attempts by a name, in the order in which names came. */
class Numbers {
  readonly #table: HashTable;
  readonly #of: Uint32Array;
  readonly #sizes: Uint32Array;
  #names = 0;

  constructor(most: number) {
    this.#table = new HashTable(most);
    this.#of = new Uint32Array(most);
    this.#sizes = new Uint32Array(most);
  }

  add(at: number, name: string): void {
    const { low, high } = hashOf(name);
    let number = this.#table.get(low, high);
    if (number === null) {
      number = this.#names++;
      this.#table.set(low, high, number);
    }
    this.#of[at] = number;
    this.#sizes[number] = (this.#sizes[number] ?? outOfRange()) + 1;
  }

  *members(count: number): Generator<Uint32Array> {
    const ends = new Uint32Array(this.#names);
    let end = 0;
    for (let number = 0; number < this.#names; number++) {
      ends[number] = end;
      end += this.#sizes[number] ?? outOfRange();
    }
    const order = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      const number = this.#of[at] ?? outOfRange();
      const place = ends[number] ?? outOfRange();
      order[place] = at;
      ends[number] = place + 1;
    }
    let from = 0;
    for (const to of ends) {
      yield order.subarray(from, to);
      from = to;
    }
  }
}
