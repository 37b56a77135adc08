/** Which task a recorded attempt was made at. */
import { PoolEdits } from '../runs/export/poolEdits.ts';
import type { RunReader } from '../runs/store/runReader.ts';
import type { Task } from '../shared/records/task.ts';
import type { Trace } from '../shared/records/trace.ts';
import { givenTasks } from './domains/openDomain.ts';

/** Limit of tasks held: consecutive attempts share few tasks. */
const mostTasks = 1024;

/** Tasks as attempts saw them: recorded, or given to the run, with the edits made by that epoch. */
export class AttemptedTasks {
  readonly #run: RunReader;
  readonly #edits: PoolEdits;
  readonly #recorded = new Map<string, Task | undefined>();
  #given: Promise<ReadonlyMap<string, Task>> | null = null;

  private constructor(run: RunReader, edits: PoolEdits) {
    this.#run = run;
    this.#edits = edits;
  }

  /** @throws RunError */
  static async read(run: RunReader): Promise<AttemptedTasks> {
    return new AttemptedTasks(run, await PoolEdits.read(run));
  }

  /** Undefined where neither the run nor its inputs have it. */
  async of({ task: id, epoch }: Pick<Trace, 'task' | 'epoch'>): Promise<Task | undefined> {
    if (!this.#recorded.has(id)) {
      if (this.#recorded.size >= mostTasks) this.#recorded.clear();
      this.#recorded.set(id, (await this.#run.task(id)) ?? (await this.#givenTask(id)));
    }
    const task = this.#recorded.get(id);
    return task === undefined ? undefined : this.#edits.at(task, epoch);
  }

  async #givenTask(id: string): Promise<Task | undefined> {
    this.#given ??= givenTasks(this.#run).then((tasks) => new Map(tasks.map((task) => [task.id, task])));
    return (await this.#given).get(id);
  }
}
