/** Which rows of a tree a person left open. The editor forgets them with its window; a folder's memory does not. */
import * as z from 'zod';

/** Only the newest: old entries are rarely missed. */
const kept = 200;

/** The part of the editor's storage that is needed. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

export class Expansion {
  readonly #memory: Memory;
  readonly #key: string;
  /** Read when a row is drawn first. */
  #known: Set<string> | null = null;

  constructor(memory: Memory, key: string) {
    this.#memory = memory;
    this.#key = key;
  }

  get #open(): Set<string> {
    return (this.#known ??= new Set(z.array(z.string()).catch([]).parse(this.#memory.get(this.#key))));
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  set(id: string, open: boolean): void {
    this.#open.delete(id);
    if (open) this.#open.add(id);
    for (const oldest of this.#open) {
      if (this.#open.size <= kept) break;
      this.#open.delete(oldest);
    }
    void this.#memory.update(this.#key, [...this.#open]);
  }
}
