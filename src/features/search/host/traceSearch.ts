/** The search of this window: one at a time, seen by the tree and by the page. */
import * as vscode from 'vscode';
import type { SearchClient } from '../node/searchClient.ts';
import { append } from '../../../shared/append.ts';
import type { SearchHit, SearchSummary } from '../contract/searchHit.ts';
import { Gatherer } from '../../../host/runs/gatherer.ts';
import type { RunDir } from '../../../host/runs/runs.ts';
import { messageOf } from '../../../shared/messageOf.ts';
import { inWords } from '../../../shared/journal/recordedWords.ts';

/** More than anyone reads, as the editor's own search has it. */
const limit = 10_000;
/** Interval between reports on hits, in milliseconds. */
const throttleMs = 100;

/** A search, under way or ended. */
export interface Searched {
  /** Grows with every search. */
  number: number;
  run: RunDir;
  runName: string;
  text: string;
  /** Grows during the search. */
  hits: SearchHit[];
  /** 0…1 while it runs; null when it has ended. */
  share: number | null;
  summary: SearchSummary | null;
  stopped: boolean;
  failure: string | null;
}

export class TraceSearch implements vscode.Disposable {
  readonly #client: () => Promise<SearchClient>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #gatherer = new Gatherer<null>(throttleMs, () => this.#changed.fire());
  #current: Searched | null = null;
  #stop = new AbortController();
  #number = 0;

  /** At most ten times a second. */
  readonly onDidChange = this.#changed.event;

  /** @param client made with the first search */
  constructor(client: () => Promise<SearchClient>) {
    this.#client = client;
  }

  get current(): Searched | null {
    return this.#current;
  }

  /** Resolves when the search ends in any way: `current` contains an error. */
  async begin(run: RunDir, runName: string, text: string): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.#number += 1;
    const searched: Searched = {
      ...{ number: this.#number, run, runName, text, hits: [], share: 0 },
      ...{ summary: null, stopped: false, failure: null },
    };
    this.#current = searched;
    this.#tell();
    try {
      const client = await this.#client();
      searched.summary = await client.search({
        ...{ dir: run, text, limit, signal: stop.signal },
        onHits: (hits) => {
          append(searched.hits, hits);
          this.#tell();
        },
        onProgress: (share) => {
          searched.share = share;
          this.#tell();
        },
      });
    } catch (error) {
      searched.failure = inWords(messageOf(error));
    }
    searched.share = null;
    searched.stopped = stop.signal.aborted;
    this.#tell();
  }

  /** Repeats the search: a running run has grown since. */
  async again(): Promise<void> {
    if (this.#current !== null) await this.begin(this.#current.run, this.#current.runName, this.#current.text);
  }

  /** Hits so far stay. */
  stop(): void {
    this.#stop.abort();
  }

  clear(): void {
    this.#stop.abort();
    this.#current = null;
    this.#tell();
  }

  dispose(): void {
    this.#stop.abort();
    this.#gatherer.dispose();
    this.#changed.dispose();
  }

  #tell(): void {
    this.#gatherer.add(null);
  }
}
