/** The prompts of exported rows: what the agent read, which may be another text than its task's. */
import type { Message } from '../../shared/records/message.ts';
import type { Task } from '../../shared/records/task.ts';
import type { Trace } from '../../shared/records/trace.ts';
import type { Leave } from './leftOut.ts';
import { PoolEdits } from './poolEdits.ts';
import type { PoolSource } from './poolSource.ts';

/** The agent's prompt as a run's domain words it; null where only a program of the run could say, which a reader never starts. */
export type Posing = (task: Task) => readonly Message[] | null;

/** The task of a row; of an attempt, also the task as it was attempted. */
export interface Prompted {
  task: Task;
  by?: { trace: Trace; task: Task };
}

const same = (a: Pick<Task, 'prompt'>, b: Pick<Task, 'prompt'>): boolean =>
  JSON.stringify(a.prompt) === JSON.stringify(b.prompt);

export class Prompts {
  readonly #posing: Posing;
  readonly #warn: Leave;
  /** Of base tasks and edited ones, as they are now. */
  readonly #recorded: ReadonlyMap<string, readonly Message[]>;

  /** @param warn counts the rows whose prompt is the task's own for want of a record */
  constructor(posing: Posing, warn: Leave, recorded: ReadonlyMap<string, readonly Message[]> = new Map()) {
    this.#posing = posing;
    this.#warn = warn;
    this.#recorded = recorded;
  }

  /** For rows of tasks: those that stand before their attempts, or were edited after some, are found by one pass over all attempts. */
  static async ofTasks(source: PoolSource, given: readonly Task[], posing: Posing, warn: Leave): Promise<Prompts> {
    const edits = await PoolEdits.read(source);
    const known = new Map(given.map((task) => [task.id, task]));
    const recorded = new Map<string, readonly Message[]>();
    const isUnknown = (task: Task): boolean => task.origin === 'base' && posing(task) === null;
    if (edits.isEmpty && !given.some(isUnknown)) return new Prompts(posing, warn);
    for await (const { task: id, epoch, asked } of source.traces()) {
      if (asked === undefined || !(edits.isEdited(id) || known.get(id)?.origin === 'base')) continue;
      const task = known.get(id) ?? (await source.task(id));
      if (task !== undefined && same(edits.at(task, epoch), edits.now(task))) recorded.set(id, asked);
    }
    return new Prompts(posing, warn, recorded);
  }

  /** The agent's prompt in an attempt. @param task as it was attempted */
  ofTrace(trace: Trace, task: Task): readonly Message[] {
    return trace.asked ?? this.#posing(task) ?? this.#own(task, trace.id);
  }

  /** The agent's prompt of a task as it is now. */
  ofTask({ task, by }: Prompted): readonly Message[] {
    const asked = by !== undefined && same(by.task, task) ? by.trace.asked : undefined;
    return asked ?? this.#recorded.get(task.id) ?? this.#posing(task) ?? this.#own(task, task.id);
  }

  #own({ prompt }: Task, example: string): readonly Message[] {
    this.#warn('unasked', example);
    return prompt;
  }
}
