/** Which units of a batch are complete first. */
import type { Trace } from '../../shared/records/trace.ts';
import type { Places, Unit } from './places.ts';

type Recorded = Pick<Trace, 'id' | 'task' | 'purpose'>;

interface Runner {
  unit: Unit;
  missing: number;
}

/**
 * A fold over attempts in the order in which they are recorded: that order is on disk before anything follows from it, so
 * a resumed run sees the same units as the first.
 */
export class Race {
  readonly #recorded = new Map<string, string>();
  readonly #over = new AbortController();
  /** Null before the batch is known. */
  #runners: ReadonlyMap<string, Runner> | null = null;
  #left = new Map<string, number>();
  readonly #counted: Unit[] = [];

  /** Over some records, in their order. @param group attempts of each task */
  static over(recorded: readonly Recorded[], places: Places, group: number): Race {
    const race = new Race();
    race.expect(places, group);
    for (const trace of recorded) race.recorded(trace);
    return race;
  }

  /** Aborted once as many units are complete as are needed. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Complete units that count, the first first. */
  get counted(): readonly Unit[] {
    return this.#counted;
  }

  /** Tasks of a kind that complete units do not fill yet. */
  left(kind: string): number {
    return this.#left.get(kind) ?? 0;
  }

  /** The batch is known. @param group attempts of each task */
  expect({ units, needed }: Places, group: number): void {
    const runners = units.map((unit) => ({ unit, missing: group * unit.tasks.length }));
    const there = new Map<string, number>();
    for (const { kind, tasks } of units) there.set(kind, (there.get(kind) ?? 0) + tasks.length);
    this.#left = new Map([...needed].map(([kind, count]) => [kind, Math.min(count, there.get(kind) ?? 0)]));
    this.#runners = new Map(runners.flatMap((one) => one.unit.tasks.map(({ id }) => [id, one] as const)));
    for (const task of this.#recorded.values()) this.#count(task);
    this.#look();
  }

  /** An attempt is recorded; told twice, it counts once. */
  recorded({ id, task, purpose }: Recorded): void {
    if (purpose !== 'train' || this.#recorded.has(id)) return;
    this.#recorded.set(id, task);
    this.#count(task);
    this.#look();
  }

  #count(task: string): void {
    const runner = this.#runners?.get(task);
    if (runner === undefined) return;
    runner.missing -= 1;
    const left = this.left(runner.unit.kind);
    if (runner.missing > 0 || left <= 0) return;
    this.#left.set(runner.unit.kind, left - runner.unit.tasks.length);
    this.#counted.push(runner.unit);
  }

  #look(): void {
    const isOpen = this.#runners === null || [...this.#left.values()].some((left) => left > 0);
    if (!isOpen && !this.isOver) this.#over.abort(new Error('Enough groups are complete.'));
  }
}
