/**
 * Which attempts are made where families whose place outside the band is certain are cut off (`rollouts.cutOff`). A family
 * is attempted in stages: the first attempts of all its tasks, then the second ones, and so on; it is looked at when all
 * attempts of a stage have ended. So which attempts there are depends on their verdicts alone, never on who was faster.
 */
import type { CutFamily } from '../../shared/journal/cutFamily.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import { isDecided, nextStage, type Band } from './decided.ts';

/** Tasks of families that are cut off, and the band. */
export interface CutOffPlan {
  tasks: readonly Task[];
  band: Band;
}

type Judged = Pick<Trace, 'verdict'>;

interface Family {
  id: string;
  tasks: readonly Task[];
  /** Attempts if none is cut off. */
  all: number;
  /** Places up to here are attempted. */
  upTo: number;
  /** Places up to here are counted. */
  counted: number;
  successes: number;
  attempts: number;
  isDone: boolean;
}

export class CutOff {
  readonly #families: readonly Family[];
  readonly #byTask = new Map<string, { family: Family; place: number }>();
  readonly #touched = new Set<Family>();
  readonly #band: Band;
  readonly #traceOf: (task: Task, index: number) => Judged | undefined;

  /** @param traceOf an attempt that is recorded */
  constructor({ tasks, band }: CutOffPlan, group: number, traceOf: (task: Task, index: number) => Judged | undefined) {
    this.#band = band;
    this.#traceOf = traceOf;
    this.#families = [...Map.groupBy(tasks, ({ family }) => family)].map(([id, own]) => {
      const all = own.length * group;
      const upTo = nextStage({ successes: 0, attempts: 0, left: all }, all, band);
      return { id, tasks: own, all, upTo, counted: 0, successes: 0, attempts: 0, isDone: false };
    });
    for (const family of this.#families) {
      for (const [place, { id }] of family.tasks.entries()) this.#byTask.set(id, { family, place });
      this.#touched.add(family);
    }
  }

  /** Whether an attempt belongs to a stage that has begun; always where its task belongs to no such family. */
  allows({ id }: Pick<Task, 'id'>, index: number): boolean {
    const own = this.#byTask.get(id);
    return own === undefined || index * own.family.tasks.length + own.place < own.family.upTo;
  }

  /** An attempt of a task was recorded. */
  recorded(task: string): void {
    const own = this.#byTask.get(task);
    if (own !== undefined) this.#touched.add(own.family);
  }

  /** Tasks of families whose next stage begins, since all attempts of the last are recorded. */
  next(): Task[] {
    const moved = [...this.#touched].filter((family) => this.#advance(family, false));
    this.#touched.clear();
    return moved.flatMap(({ tasks }) => tasks);
  }

  /** Everything that was begun has ended, answered or not. @returns whether another stage begins */
  ended(): boolean {
    this.#touched.clear();
    return this.#families.filter((family) => this.#advance(family, true)).length > 0;
  }

  /** Attempts of a task that are not made. */
  leftOut(task: Pick<Task, 'id'>, group: number): number {
    const own = this.#byTask.get(task.id);
    if (own?.family.isDone !== true) return 0;
    return Array.from({ length: group }, (_, index) => index).filter((index) => !this.allows(task, index)).length;
  }

  /** The families that are cut off, in order. */
  get cut(): CutFamily[] {
    return this.#families.flatMap(({ id, all, upTo, isDone }) =>
      isDone && upTo < all ? [{ family: id, left: all - upTo }] : [],
    );
  }

  /** @param isEnded attempts of this stage that are not recorded will not be */
  #advance(family: Family, isEnded: boolean): boolean {
    let moved = false;
    for (let ended = isEnded; !family.isDone; ended = false) {
      this.#count(family, ended);
      if (family.counted < family.upTo) break;
      const progress = { ...family, left: family.all - family.upTo };
      if (progress.left === 0 || isDecided(progress, this.#band)) family.isDone = true;
      else {
        family.upTo += nextStage(progress, family.all, this.#band);
        moved = true;
      }
    }
    return moved && !family.isDone;
  }

  #count(family: Family, isEnded: boolean): void {
    const { tasks } = family;
    while (family.counted < family.upTo) {
      const task = tasks[family.counted % tasks.length];
      const trace = task && this.#traceOf(task, Math.floor(family.counted / tasks.length));
      if (trace === undefined && !isEnded) return;
      family.counted += 1;
      if (trace === undefined || trace.verdict.error !== undefined) continue;
      family.attempts += 1;
      if (trace.verdict.success) family.successes += 1;
    }
  }
}
