/** Text typed into fields that is not in their tasks yet, by task and field. Pure. */
import * as z from 'zod';
import type { TaskField } from '../../src/features/tasks/contract.ts';

/** As the page keeps it. */
export const pendingSchema = z.array(z.strictObject({ id: z.string(), field: z.string(), text: z.string() }));
export type KeptTexts = z.infer<typeof pendingSchema>;

export class PendingTexts {
  readonly #tasks = new Map<string, Map<string, string>>();

  constructor(kept: KeptTexts = []) {
    for (const { id, field, text } of kept) this.#put(id, field, text);
  }

  get(id: string, field: TaskField): string | undefined {
    return this.#tasks.get(id)?.get(field);
  }

  has(id: string): boolean {
    return this.#tasks.has(id);
  }

  set(id: string, field: TaskField, text: string): void {
    this.#put(id, field, text);
  }

  drop(id: string, field: TaskField): void {
    const texts = this.#tasks.get(id);
    texts?.delete(field);
    if (texts?.size === 0) this.#tasks.delete(id);
  }

  get kept(): KeptTexts {
    return [...this.#tasks].flatMap(([id, texts]) => [...texts].map(([field, text]) => ({ id, field, text })));
  }

  #put(id: string, field: string, text: string): void {
    const texts = this.#tasks.get(id) ?? new Map<string, string>();
    this.#tasks.set(id, texts.set(field, text));
  }
}
