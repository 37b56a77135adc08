/** Rows with equal content, found by their fingerprints; computed on first use. */
import * as z from 'zod';
import { taskDraftSchema, type Task } from '../../../shared/records/task.ts';
import { Breather } from '../../../runs/files/breather.ts';
import { hashOf } from '../../../runs/index/recordRow.ts';
import type { EditedTasks } from './editedTasks.ts';
import { withoutGeneration } from './withoutGeneration.ts';

const outline = z.object(taskDraftSchema.pick({ prompt: true, evaluation: true }).shape);

/** Rows read together. */
const batch = 1024;

export class Fingerprints {
  readonly #tasks: EditedTasks;
  readonly #fingerprint: (task: Pick<Task, 'prompt' | 'evaluation'>) => string;
  /** The first row of each, as recorded. */
  readonly #first = new Map<number, number>();
  /** The others. */
  readonly #more = new Map<number, number[]>();
  #read = 0;
  #reading: Promise<void> | null = null;
  #closed = false;

  constructor(tasks: EditedTasks, fingerprint: (task: Pick<Task, 'prompt' | 'evaluation'>) => string) {
    this.#tasks = tasks;
    this.#fingerprint = fingerprint;
  }

  /** Whether all rows are read. */
  get isWhole(): boolean {
    return this.#read >= this.#tasks.columns.count;
  }

  /** Reads the rows that are not read yet, a few milliseconds at a time. @throws RunError */
  read(): Promise<void> {
    if (this.isWhole) return Promise.resolve();
    this.#reading ??= this.#take().finally(() => (this.#reading = null));
    return this.#reading;
  }

  /** Another accepted row that says the same as this one, as both are now; null where there is none. @throws RunError */
  async twinOf(row: number, task: Pick<Task, 'prompt' | 'evaluation'>): Promise<{ row: number; id: string } | null> {
    const wanted = this.#fingerprint(task);
    const key = keyOf(wanted);
    const first = this.#first.get(key);
    const recorded = first === undefined ? [] : [first, ...(this.#more.get(key) ?? [])];
    const edited = this.#tasks.editedRows();
    const candidates = [...new Set([...recorded, ...edited])].filter(
      (other) => other !== row && this.#tasks.columns.status[other] === 0,
    );
    // A cluster may be large; any member will do, and earlier ones come first.
    for (const other of candidates.slice(0, 1000)) {
      const [now] = await this.#tasks.at([other]);
      if (now !== undefined && this.#fingerprint(now.task) === wanted) return { row: other, id: now.task.id };
    }
    return null;
  }

  close(): void {
    this.#closed = true;
  }

  async #take(): Promise<void> {
    const breather = new Breather();
    const { columns, source } = this.#tasks;
    while (!this.isWhole && !this.#closed) {
      const from = this.#read;
      const rows = Array.from({ length: Math.min(batch, columns.count - from) }, (_, i) => from + i);
      for await (const { row, text } of source.table.texts(rows)) {
        await breather.breathe();
        const task = columns.recorded[row] === 1 ? undefined : outline.safeParse(withoutGeneration(text)).data;
        if (task === undefined) continue;
        const key = keyOf(this.#fingerprint(task));
        if (!this.#first.has(key)) this.#first.set(key, row);
        else this.#more.set(key, [...(this.#more.get(key) ?? []), row]);
      }
      this.#read = from + rows.length;
    }
  }
}

/** 53 bits of a hash, the most efficient key of a Map. */
function keyOf(text: string): number {
  const { low, high } = hashOf(text);
  return low * 2 ** 21 + (high >>> 11);
}
