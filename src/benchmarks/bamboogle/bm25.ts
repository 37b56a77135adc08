/** Okapi BM25 over passages in memory: postings in typed arrays, five bytes each, and no text. */
import * as l10n from '@vscode/l10n';
import { outOfRange } from '../../shared/outOfRange.ts';

/** Robertson's saturation and length normalisation, as Pyserini sets them. */
const k1 = 0.9;
const b = 0.4;

/** The largest index, in postings: building takes about sixteen bytes for each. */
const mostPostings = 60_000_000;
/** Postings that a search may go through; the words that most passages have are left out first. */
const mostWork = 20_000_000;

/** The corpus is too large to be held. */
export class CorpusTooLarge extends Error {
  override readonly name = 'CorpusTooLarge';
}

/** Words as they are compared: lower case, letters and digits. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Collects passages; `done` makes the index. */
export class Bm25Builder {
  readonly #terms = new Map<string, number>();
  readonly #most: number;
  readonly #lengths: number[] = [];
  #term = new Uint32Array(1024);
  #passage = new Uint32Array(1024);
  #times = new Uint8Array(1024);
  #size = 0;

  /** @param most postings that may be held */
  constructor(most = mostPostings) {
    this.#most = most;
  }

  /** The passage after those that were added before. @throws CorpusTooLarge */
  add(text: string): void {
    const words = wordsOf(text);
    const counts = new Map<number, number>();
    for (const word of words) {
      const term = this.#terms.get(word) ?? this.#terms.size;
      if (term === this.#terms.size) this.#terms.set(word, term);
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    for (const [term, times] of counts) this.#put(term, times);
    this.#lengths.push(words.length);
  }

  #put(term: number, times: number): void {
    if (this.#size >= this.#most)
      throw new CorpusTooLarge(l10n.t('It has more than {0} words to be found by.', this.#most));
    if (this.#size === this.#term.length) {
      const room = Math.min(2 * this.#size, this.#most);
      this.#term = grown(this.#term, new Uint32Array(room));
      this.#passage = grown(this.#passage, new Uint32Array(room));
      this.#times = grown(this.#times, new Uint8Array(room));
    }
    this.#term[this.#size] = term;
    this.#passage[this.#size] = this.#lengths.length;
    this.#times[this.#size] = Math.min(times, 255);
    this.#size += 1;
  }

  done(): Bm25 {
    const starts = new Uint32Array(this.#terms.size + 1);
    for (let i = 0; i < this.#size; i += 1) count(starts, (this.#term[i] ?? outOfRange()) + 1);
    for (let term = 1; term < starts.length; term += 1)
      starts[term] = (starts[term] ?? outOfRange()) + (starts[term - 1] ?? outOfRange());
    const next = starts.slice();
    const passages = new Uint32Array(this.#size);
    const times = new Uint8Array(this.#size);
    for (let i = 0; i < this.#size; i += 1) {
      const term = this.#term[i] ?? outOfRange();
      const at = next[term] ?? outOfRange();
      passages[at] = this.#passage[i] ?? outOfRange();
      times[at] = this.#times[i] ?? outOfRange();
      count(next, term);
    }
    return new Bm25({ terms: this.#terms, starts, passages, times, lengths: Uint32Array.from(this.#lengths) });
  }
}

interface Postings {
  terms: ReadonlyMap<string, number>;
  /** Of a term's postings, and of the next one's. */
  starts: Uint32Array;
  passages: Uint32Array;
  /** How often the passage has the term, 255 at most. */
  times: Uint8Array;
  /** Words of each passage. */
  lengths: Uint32Array;
}

export class Bm25 {
  readonly #postings: Postings;
  readonly #meanLength: number;

  constructor(postings: Postings) {
    this.#postings = postings;
    const { lengths } = postings;
    this.#meanLength = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length);
  }

  /** How many passages there are. */
  get size(): number {
    return this.#postings.lengths.length;
  }

  /** Places of the best passages, the best first; of equal ones, the earlier. */
  search(query: string, most: number): number[] {
    const { passages, times, lengths } = this.#postings;
    const scores = new Map<number, number>();
    let work = 0;
    for (const { from, to } of this.#rangesOf(query)) {
      work += to - from;
      if (work > mostWork && scores.size > 0) break;
      const idf = Math.log(1 + (lengths.length - (to - from) + 0.5) / (to - from + 0.5));
      for (let at = from; at < to; at += 1) {
        const passage = passages[at] ?? outOfRange();
        const often = times[at] ?? outOfRange();
        const length = 1 - b + (b * (lengths[passage] ?? outOfRange())) / this.#meanLength;
        const score = (idf * often * (k1 + 1)) / (often + k1 * length);
        scores.set(passage, (scores.get(passage) ?? 0) + score);
      }
    }
    return best(scores, most);
  }

  /** Postings of the query's words, the rarest word first. */
  #rangesOf(query: string): { from: number; to: number }[] {
    const { terms, starts } = this.#postings;
    const found = [...new Set(wordsOf(query))].flatMap((word) => {
      const term = terms.get(word);
      return term === undefined ? [] : [{ from: starts[term] ?? outOfRange(), to: starts[term + 1] ?? outOfRange() }];
    });
    return found.toSorted((one, other) => one.to - one.from - (other.to - other.from));
  }
}

function best(scores: ReadonlyMap<number, number>, most: number): number[] {
  const top: [passage: number, score: number][] = [];
  for (const [passage, score] of scores) {
    const [, least = -Infinity] = top.length < most ? [] : (top.at(-1) ?? []);
    if (top.length === most && score < least) continue;
    top.push([passage, score]);
    top.sort((one, other) => other[1] - one[1] || one[0] - other[0]);
    top.length = Math.min(top.length, most);
  }
  return top.map(([passage]) => passage);
}

function count(counts: Uint32Array, at: number): void {
  counts[at] = (counts[at] ?? outOfRange()) + 1;
}

function grown<T extends Uint8Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
