/** Which attempts of a plan begin when: all at once, or in stages, where families may be cut off between them. */
import type { CutFamily } from '../../../shared/journal/cutFamily.ts';
import type { Task } from '../../../shared/records/task.ts';
import type { Trace } from '../../../shared/records/trace.ts';
import { CutOff } from '../../cutOff/cutOff.ts';
import type { Gate } from '../../spending/pace.ts';
import type { AttemptPlan } from './attemptPlan.ts';
import { AttemptTraces } from './attemptTraces.ts';
import type { Attempters } from './attemptPlan.ts';

export class Stages {
  readonly traces: AttemptTraces;
  readonly #plan: AttemptPlan;
  /** Null where all attempts are made. */
  readonly #cutOff: CutOff | null;
  /** Attempts that were asked for, by `task/index`: those of an earlier stage are not asked for again. */
  readonly #asked = new Set<string>();

  constructor(loop: Attempters, plan: AttemptPlan) {
    this.#plan = plan;
    this.traces = new AttemptTraces(loop, plan, (trace: Trace) => this.#cutOff?.recorded(trace.task));
    const { cutOff, group } = plan;
    this.#cutOff = cutOff === undefined ? null : new CutOff(cutOff, group, (task, i) => this.traces.at(task, i));
  }

  /**
   * A task's attempts that begin now: those recorded, asked for before, or of a later stage left out. From now on they
   * count as asked for.
   */
  begin(task: Task): number[] {
    const missing = this.missing(task);
    if (this.#cutOff !== null) for (const i of missing) this.#asked.add(`${task.id}/${i}`);
    return missing;
  }

  missing(task: Task): number[] {
    return this.traces
      .missing(task)
      .filter((i) => this.#cutOff?.allows(task, i) !== false && !this.#asked.has(`${task.id}/${i}`));
  }

  /** As `begin`, one by one. */
  beginAll(tasks: readonly Task[]): { task: Task; index: number }[] {
    return tasks.flatMap((task) => this.begin(task).map((index) => ({ task, index })));
  }

  /** Tasks of families whose next stage begins while others are under way. */
  next(): Task[] {
    return this.#cutOff?.next() ?? [];
  }

  /** Everything that began has ended. @returns whether further attempts may begin now */
  async another(gate: Gate | null): Promise<boolean> {
    if (this.#cutOff === null) return false;
    await this.traces.settle();
    if (gate?.isClosed() !== true) return this.#cutOff.ended();
    this.#cutOff.next();
    return false;
  }

  /** Attempts of a task that are not made, since its family is cut off. */
  leftOut(task: Task): number {
    return this.#cutOff?.leftOut(task, this.#plan.group) ?? 0;
  }

  /** As a part of the attempts' outcome that only stands there when a family is cut off. */
  get outcome(): { cutOff?: CutFamily[] } {
    const cut = this.#cutOff?.cut ?? [];
    return cut.length === 0 ? {} : { cutOff: cut };
  }
}
