/** The searches in this workspace, the newest first. */
import * as z from 'zod';
import type { Memory } from '../../../host/trees/expansion.ts';

const key = 'genenv.search.history';
const kept = 30;

export class SearchHistory {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  get queries(): string[] {
    return z.array(z.string()).catch([]).parse(this.#memory.get(key));
  }

  async add(query: string): Promise<void> {
    const others = this.queries.filter((one) => one !== query);
    await this.#memory.update(key, [query, ...others].slice(0, kept));
  }
}
