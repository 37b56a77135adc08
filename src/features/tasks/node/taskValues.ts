/**
 * The fields of a task that users may change, and their changes so far: every change is data, so that it can be undone.
 */
import type { Task } from '../../../shared/records/task.ts';

/** All that can be edited of a task. */
export interface TaskValues {
  prompt: Task['prompt'];
  /** Null without any. */
  tools: NonNullable<Task['tools']> | null;
  evaluation: Task['evaluation'];
  gold: Task['gold'];
  /** '' once the prompt has changed: it no longer matches the plan, and is not checked against it. */
  plan: string;
  /** Why it is out; null while it is in. */
  excluded: string | null;
  tags: readonly string[];
}
/** Some of it. */
export type TaskPart = Partial<TaskValues>;
export const valueNames = ['prompt', 'tools', 'evaluation', 'gold', 'plan', 'excluded', 'tags'] as const;
export type ValueName = (typeof valueNames)[number];
/** The parts that form the task itself, without users' marks. */
export const contentNames = ['prompt', 'tools', 'evaluation', 'gold'] as const;

/** One edit's effect on one row: the same parts before and after. */
export interface RowChange {
  row: number;
  before: TaskPart;
  after: TaskPart;
}

/** Edits over the rows of a source, and which of them are saved. */
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

  /** Rows with unsaved edits, in ascending order. */
  get dirty(): number[] {
    return [...this.#dirty].sort((a, b) => a - b);
  }

  /** Rows that were ever edited. */
  get touched(): number[] {
    return [...this.#now.keys()];
  }

  /** A row's edits, in their current form. */
  partOf(row: number): TaskPart {
    return this.#now.get(row) ?? {};
  }

  /** Null for a row without unsaved edits. */
  changeOf(row: number): RowChange | null {
    const [saved, now] = [this.#saved.get(row), this.#now.get(row)];
    if (saved === undefined || now === undefined) return null;
    const names = valueNames.filter((name) => name in now && !isSame(saved[name], now[name]));
    if (names.length === 0) return null;
    return { row, before: pick(saved, names), after: pick(now, names) };
  }

  /** Marks the current state as saved. */
  settle(rows: readonly number[]): void {
    for (const row of rows) {
      this.#saved.set(row, { ...this.#saved.get(row), ...this.#now.get(row) });
      this.#dirty.delete(row);
    }
  }

  /** Another editor saved other values of a row; unsaved edits here stay. */
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

/** The task with these values instead of its own. */
export function withValues(task: Task, part: TaskPart): Task {
  const { tools, prompt = task.prompt, evaluation = task.evaluation, gold = task.gold, plan = task.plan } = part;
  const now: Task = { ...task, prompt, evaluation, gold, plan };
  if (tools === null) delete now.tools;
  else if (tools !== undefined) now.tools = tools;
  return now;
}

/** The editable parts of a recorded task, before edits. */
export const contentOf = ({ prompt, tools, evaluation, gold, plan }: Task) => ({
  prompt,
  tools: tools ?? null,
  evaluation,
  gold,
  plan,
});
