/** Flags of rows as far as they are known. Those that were found of a task as it was before an edit are not kept. */
import type { HealthFlag } from '../../health/contract.ts';
import type { TasksNews } from './tasksDocument.ts';

export class RowFlags {
  #known = new Map<number, readonly HealthFlag[]>();
  /** How many times something has changed; at which of them each row did, and all did last. */
  #changes = 0;
  #ofRow = new Map<number, number>();
  #ofAll = 0;

  /** To be taken before a task is read whose flags are looked for. */
  get moment(): number {
    return this.#changes;
  }

  forget(news: TasksNews): void {
    this.#changes += 1;
    if (news === null) {
      this.#known = new Map();
      this.#ofRow = new Map();
      this.#ofAll = this.#changes;
      return;
    }
    for (const row of news) {
      this.#known.delete(row);
      this.#ofRow.set(row, this.#changes);
    }
  }

  has(row: number): boolean {
    return this.#known.has(row);
  }

  get(row: number): readonly HealthFlag[] | undefined {
    return this.#known.get(row);
  }

  /** @returns whether they are those of the task as it is now */
  keep(row: number, flags: readonly HealthFlag[], since: number): boolean {
    if (Math.max(this.#ofAll, this.#ofRow.get(row) ?? 0) > since) return false;
    this.#known.set(row, flags);
    return true;
  }
}
