/**
 * Measured families of many epochs as growable arrays, one entry a family: enough to draw and rescore 100,000 of them.
 * The host fills it from the journal; the page from the host's messages. Ids and plans stay with the host.
 */
import type { Curriculum } from '../experiment/schema.ts';
import type { EventOf } from '../journal/events.ts';
import type { SuccessRate } from '../journal/scores.ts';
import { outOfRange } from '../outOfRange.ts';

type RewardName = Curriculum['reward']['kind'];
type Scored = EventOf<'families.scored'>;

/** How an epoch was scored: the input for scoring it again. Its families are the entries from `from` to `to`. */
export interface ScoredEpoch {
  epoch: number;
  from: number;
  to: number;
  scope: Scored['scope'];
  estimate: 'mean' | 'posterior';
  /** As it was applied: off in a warm-up epoch. */
  filter: 'hard' | 'soft' | 'off';
  /** The kind of reward whose signals its tasks have; absent where that measures nothing beside counts. */
  signalOf?: RewardName | undefined;
}

/** Entries of some epochs, as they go over a wire. */
export interface FamilyBlock {
  /** `from` and `to` count within the block. */
  epochs: ScoredEpoch[];
  successes: Uint32Array<ArrayBuffer>;
  attempts: Uint32Array<ArrayBuffer>;
  /** Effective number of independent attempts, the basis of p̂'s interval. */
  effective: Float64Array<ArrayBuffer>;
  /** Share of the environment update; those of an epoch sum to 1 when any family is kept. */
  weight: Float64Array<ArrayBuffer>;
  /** The share that the difficulty filter kept, 0…1. */
  kept: Float64Array<ArrayBuffer>;
  /** Tasks of each family; their own counts follow each other in the last two arrays. */
  tasks: Uint32Array<ArrayBuffer>;
  taskSuccesses: Uint32Array<ArrayBuffer>;
  taskAttempts: Uint32Array<ArrayBuffer>;
  /** Signals that the reward measured beside the counts; NaN for none. Empty where no task of the block has any. */
  taskSignals: Float64Array<ArrayBuffer>;
  /** Of several domains, which: a place in `domains`, from 0. Both are empty where the run has one. */
  domain: Uint32Array<ArrayBuffer>;
  domains: string[];
}

export class FamilyColumns {
  /** In the order in which they were scored. */
  readonly epochs: ScoredEpoch[] = [];
  count = 0;
  /** Arrays are longer than `count`; entries beyond it are meaningless. */
  successes = new Uint32Array(256);
  attempts = new Uint32Array(256);
  effective = new Float64Array(256);
  weight = new Float64Array(256);
  kept = new Float64Array(256);
  /** Where a family's tasks begin; one entry more than there are families. */
  taskFrom = new Uint32Array(257);
  taskSuccesses = new Uint32Array(1024);
  taskAttempts = new Uint32Array(1024);
  /** Grown with the first signal: most runs have none. */
  taskSignals = new Float64Array(0);
  /** Of several domains, in the order in which they came; none where the run has one. */
  readonly domains: string[] = [];
  /** By family, a place in `domains`. Grown with the first one. */
  #domain = new Uint32Array(0);
  readonly #byEpoch = new Map<number, ScoredEpoch>();

  epoch(epoch: number): ScoredEpoch | undefined {
    return this.#byEpoch.get(epoch);
  }

  /** Adds an epoch from its event. */
  add({ epoch, scope, families }: Scored, how: Pick<ScoredEpoch, 'estimate' | 'filter' | 'signalOf'>): void {
    const from = this.count;
    for (const { successRate, weight, kept, tasks, domain } of families) {
      const task = this.#addFamily(successRate, weight, kept, tasks.length);
      if (domain !== undefined) this.#domainAt(this.count - 1, domain);
      for (const [i, { successes, attempts, signal }] of tasks.entries()) {
        this.taskSuccesses[task + i] = successes;
        this.taskAttempts[task + i] = attempts;
        if (signal !== undefined) this.#signalAt(task + i, signal);
      }
    }
    this.#addEpoch({ epoch, from, to: this.count, scope, ...how });
  }

  /** Adds a received block. */
  append(block: FamilyBlock): void {
    const start = this.count;
    let sent = 0;
    for (const [i, successes] of block.successes.entries()) {
      const tasks = block.tasks[i] ?? outOfRange();
      const rate = { successes, attempts: block.attempts[i] ?? outOfRange(), effective: block.effective[i] };
      const task = this.#addFamily(rate, block.weight[i] ?? outOfRange(), block.kept[i] ?? outOfRange(), tasks);
      const domain = block.domains[block.domain[i] ?? -1];
      if (domain !== undefined) this.#domainAt(start + i, domain);
      this.taskSuccesses.set(block.taskSuccesses.subarray(sent, sent + tasks), task);
      this.taskAttempts.set(block.taskAttempts.subarray(sent, sent + tasks), task);
      for (let i = 0; i < tasks; i++) {
        const signal = block.taskSignals[sent + i] ?? NaN;
        if (!Number.isNaN(signal)) this.#signalAt(task + i, signal);
      }
      sent += tasks;
    }
    for (const one of block.epochs) this.#addEpoch({ ...one, from: start + one.from, to: start + one.to });
  }

  /** A copy of the epochs at these places in `epochs`, to send. */
  block(first: number, end: number): FamilyBlock {
    const chosen = this.epochs.slice(first, end);
    const from = chosen[0]?.from ?? 0;
    const to = chosen.at(-1)?.to ?? from;
    const [taskFrom, taskTo] = [this.taskFrom[from] ?? outOfRange(), this.taskFrom[to] ?? outOfRange()];
    return {
      epochs: chosen.map((one) => ({ ...one, from: one.from - from, to: one.to - from })),
      successes: this.successes.slice(from, to),
      attempts: this.attempts.slice(from, to),
      effective: this.effective.slice(from, to),
      weight: this.weight.slice(from, to),
      kept: this.kept.slice(from, to),
      tasks: Uint32Array.from({ length: to - from }, (_, i) => this.tasksOf(from + i)),
      taskSuccesses: this.taskSuccesses.slice(taskFrom, taskTo),
      taskAttempts: this.taskAttempts.slice(taskFrom, taskTo),
      taskSignals: this.taskSignals.slice(taskFrom, taskTo),
      domain: this.#domain.slice(from, to),
      domains: [...this.domains],
    };
  }

  /** How many tasks a family has. */
  tasksOf(family: number): number {
    return (this.taskFrom[family + 1] ?? outOfRange()) - (this.taskFrom[family] ?? outOfRange());
  }

  /** Which of several domains a family is of; null where the run has one. */
  domainOf(family: number): string | null {
    return this.domains[this.#domain[family] ?? -1] ?? null;
  }

  clear(): void {
    this.taskSignals = new Float64Array(0);
    this.#domain = new Uint32Array(0);
    this.domains.length = 0;
    this.epochs.length = 0;
    this.#byEpoch.clear();
    this.count = 0;
  }

  #addEpoch(scored: ScoredEpoch): void {
    this.epochs.push(scored);
    this.#byEpoch.set(scored.epoch, scored);
  }

  /** @returns where its tasks begin */
  #addFamily(
    { successes, attempts, effective = attempts }: Pick<SuccessRate, 'successes' | 'attempts' | 'effective'>,
    weight: number,
    kept: number,
    tasks: number,
  ): number {
    const family = this.count;
    const task = family === 0 ? 0 : (this.taskFrom[family] ?? outOfRange());
    this.#reserve(family + 1, task + tasks);
    this.successes[family] = successes;
    this.attempts[family] = attempts;
    this.effective[family] = effective;
    this.weight[family] = weight;
    this.kept[family] = kept;
    this.taskFrom[family] = task;
    this.taskFrom[family + 1] = task + tasks;
    this.count = family + 1;
    return task;
  }

  #domainAt(family: number, name: string): void {
    if (!this.domains.includes(name)) this.domains.push(name);
    if (family >= this.#domain.length) this.#domain = longer(this.#domain, (family + 1) * 2);
    this.#domain[family] = this.domains.indexOf(name);
  }

  #signalAt(task: number, signal: number): void {
    if (task >= this.taskSignals.length) {
      const known = this.taskSignals.length;
      this.taskSignals = longerFloats(this.taskSignals, (task + 1) * 2);
      this.taskSignals.fill(NaN, known);
    }
    this.taskSignals[task] = signal;
  }

  #reserve(families: number, tasks: number): void {
    if (families > this.successes.length) {
      const length = families * 2;
      this.successes = longer(this.successes, length);
      this.attempts = longer(this.attempts, length);
      this.taskFrom = longer(this.taskFrom, length + 1);
      this.effective = longerFloats(this.effective, length);
      this.weight = longerFloats(this.weight, length);
      this.kept = longerFloats(this.kept, length);
    }
    if (tasks > this.taskSuccesses.length) {
      this.taskSuccesses = longer(this.taskSuccesses, tasks * 2);
      this.taskAttempts = longer(this.taskAttempts, tasks * 2);
    }
  }
}

function longer(old: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(length);
  next.set(old);
  return next;
}

function longerFloats(old: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(length);
  next.set(old);
  return next;
}
