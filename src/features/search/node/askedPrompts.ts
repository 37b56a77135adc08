/** Prompts that agents read where a domain worded them: other texts than those of their tasks. */
import type { SearchHit } from '../contract/searchHit.ts';
import type { TraceQuery } from '../contract/traceQuery.ts';
import { WantedTexts } from './matches.ts';
import type { SearchedTrace } from './recordFits.ts';

type AskedTrace = Pick<SearchedTrace, 'id' | 'task' | 'family' | 'epoch' | 'asked'>;

/** A hit for each task, by the first attempt that shows one. */
export class AskedPrompts {
  readonly #texts: WantedTexts;
  readonly #limit: number;
  readonly #hits = new Map<string, SearchHit>();

  /** @param limit of hits; one more is kept, so that there being more is known */
  constructor(query: TraceQuery, limit: number) {
    this.#texts = new WantedTexts(query);
    this.#limit = limit;
  }

  look({ id, task, family, epoch, asked }: AskedTrace): void {
    if (asked === undefined || this.#hits.has(task) || this.#hits.size > this.#limit) return;
    const found = this.#texts.find(asked);
    if (found !== null) this.#hits.set(task, { kind: 'task', task, family, epoch, readIn: id, ...found });
  }

  /** Forgets a task whose own text is a hit: the prompt repeats it. */
  forget(task: string): void {
    this.#hits.delete(task);
  }

  get hits(): SearchHit[] {
    return [...this.#hits.values()];
  }
}
