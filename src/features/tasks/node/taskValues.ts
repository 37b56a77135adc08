/** What people may change of a task, and what they changed so far: every change is data, so that it can be taken back. */
import type { Task } from '../../../shared/records/task.ts';

/** All that can be edited of a task. */
export interface TaskValues {
  prompt: Task['prompt'];
  /** Null without any. */
  tools: NonNullable<Task['tools']> | null;
  evaluation: Task['evaluation'];
  gold: Task['gold'];
  /** '' once the prompt is another: it is no longer what the plan says, and is not held to it. */
  plan: string;
  /** Why it is out; null while it is in. */
  excluded: string | null;
  tags: readonly string[];
}
/** Some of it. */
export type TaskPart = Partial<TaskValues>;
export const valueNames = ['prompt', 'tools', 'evaluation', 'gold', 'plan', 'excluded', 'tags'] as const;
export type ValueName = (typeof valueNames)[number];
/** The parts that are the task itself, not what people think of it. */
export const contentNames = ['prompt', 'tools', 'evaluation', 'gold'] as const;

/** What one edit does to one row: the same parts before and after. */
export interface RowChange {
  row: number;
  before: TaskPart;
  after: TaskPart;
}

/** Edited parts over the rows of a source, and what of them is saved. */
export class WorkingCopy {
  /** Of rows that were ever touched: their parts when touched first, or as saved since. */
  readonly #saved = new Map<number, TaskPart>();
  readonly #now = new Map<number, TaskPart>();
  readonly #dirty = new Set<number>();

  /** Makes an edit, or takes it back. */
  apply(changes: readonly RowChange[], direction: 'forth' | 'back' = 'forth'): void {
    for (const { row, before, after } of changes) {
      this.#saved.set(row, { ...before, ...this.#saved.get(row) });
      this.#now.set(row, { ...this.#now.get(row), ...(direction === 'forth' ? after : before) });
      if (this.changeOf(row) === null) this.#dirty.delete(row);
      else this.#dirty.add(row);
    }
  }

  /** Rows that differ from what is saved, in ascending order. */
  get dirty(): number[] {
    return [...this.#dirty].sort((a, b) => a - b);
  }

  /** Rows that were ever edited. */
  get touched(): number[] {
    return [...this.#now.keys()];
  }

  /** What was edited of a row, as it is now. */
  partOf(row: number): TaskPart {
    return this.#now.get(row) ?? {};
  }

  /** Null where nothing differs from what is saved. */
  changeOf(row: number): RowChange | null {
    const [saved, now] = [this.#saved.get(row), this.#now.get(row)];
    if (saved === undefined || now === undefined) return null;
    const names = valueNames.filter((name) => name in now && !isSame(saved[name], now[name]));
    if (names.length === 0) return null;
    return { row, before: pick(saved, names), after: pick(now, names) };
  }

  /** What is now is saved. */
  settle(rows: readonly number[]): void {
    for (const row of rows) {
      this.#saved.set(row, { ...this.#saved.get(row), ...this.#now.get(row) });
      this.#dirty.delete(row);
    }
  }

  /** Somebody else saved other values of a row; what is unsaved here stays. */
  rebase(row: number, part: TaskPart): void {
    const saved = this.#saved.get(row);
    if (saved === undefined) return;
    const names = valueNames.filter((name) => name in saved && name in part);
    const clean = names.filter((name) => isSame(saved[name], this.#now.get(row)?.[name]));
    this.#saved.set(row, { ...saved, ...pick(part, names) });
    this.#now.set(row, { ...this.#now.get(row), ...pick(part, clean) });
    if (this.changeOf(row) === null) this.#dirty.delete(row);
  }

  clear(): void {
    this.#saved.clear();
    this.#now.clear();
    this.#dirty.clear();
  }
}

/** Some parts of a task's values. */
export const pick = (part: TaskPart, names: readonly ValueName[]): TaskPart =>
  Object.fromEntries(names.filter((name) => name in part).map((name) => [name, part[name]]));

/** Whether two values are written the same. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

/** The task with these values in place of its own. */
export function withValues(task: Task, part: TaskPart): Task {
  const { tools, prompt = task.prompt, evaluation = task.evaluation, gold = task.gold, plan = task.plan } = part;
  const now: Task = { ...task, prompt, evaluation, gold, plan };
  if (tools === null) delete now.tools;
  else if (tools !== undefined) now.tools = tools;
  return now;
}

/** What can be edited of a recorded task, before anyone did. */
export const contentOf = ({ prompt, tools, evaluation, gold, plan }: Task) => ({
  prompt,
  tools: tools ?? null,
  evaluation,
  gold,
  plan,
});
