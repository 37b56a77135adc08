/** One decoder, tried with inputs made of those that reached something new. */
import { Rng } from '../../src/engine/random.ts';
import type { Coverage } from './coverage.ts';
import { isOurs, type Decoder } from './decoder.ts';
import { mutated } from './mutate.ts';

/** An input that led to something else than a value or an error of ours. */
export interface Finding {
  input: string;
  what: string;
}

/** Asking for coverage takes milliseconds: it is asked for so many inputs together, and for each where there is news. */
const together = 200;
/** In milliseconds of one input. */
const slow = 2_000;

export class Fuzzer {
  readonly corpus: string[];
  readonly findings = new Map<string, Finding>();
  inputs = 0;
  readonly #decoder: Decoder;
  readonly #rng: Rng;
  /** Told of each input before it is tried, so that it is known if it never ends. */
  readonly #begin: (input: string) => void;

  constructor(
    name: string,
    decoder: Decoder,
    options: { corpus: readonly string[]; seed: number; begin?: (input: string) => void },
  ) {
    this.#decoder = decoder;
    this.#rng = Rng.from(options.seed, 'fuzz', name);
    this.#begin = options.begin ?? (() => undefined);
    this.corpus = [...new Set([...decoder.seeds, ...options.corpus])];
  }

  /** Tries the corpus itself; with coverage it is known what that reaches. */
  async replay(coverage: Coverage | null): Promise<void> {
    for (const input of this.corpus) await this.#attempt(input);
    coverage?.take();
  }

  async run(count: number, coverage: Coverage | null): Promise<void> {
    for (let left = count; left > 0; left -= together) {
      const batch = Array.from({ length: Math.min(left, together) }, () => this.#next());
      for (const input of batch) await this.#attempt(input);
      const news = coverage?.take();
      if (coverage !== null && news !== undefined && news.size > 0) await this.#keep(batch, news, coverage);
    }
  }

  /** Halves of a batch are tried again, until it is known which inputs reach what is new. */
  async #keep(batch: readonly string[], news: ReadonlySet<string>, coverage: Coverage): Promise<void> {
    const [input] = batch;
    if (input === undefined) return;
    if (batch.length === 1) {
      if (!this.corpus.includes(input)) this.corpus.push(input);
      return;
    }
    const half = batch.length >> 1;
    let left = new Set(news);
    for (const part of [batch.slice(0, half), batch.slice(half)]) {
      if (left.size === 0) return;
      for (const one of part) await this.#attempt(one);
      const here = coverage.among(left);
      if (here.size > 0) await this.#keep(part, here, coverage);
      left = new Set([...left].filter((block) => !here.has(block)));
    }
  }

  #next(): string {
    const rng = this.#rng;
    const from = this.corpus[rng.int(this.corpus.length)] ?? '';
    return mutated(from, this.corpus, this.#decoder.tokens ?? [], rng);
  }

  async #attempt(input: string): Promise<void> {
    this.inputs += 1;
    this.#begin(input);
    const began = performance.now();
    try {
      await this.#decoder.decode(input);
    } catch (error) {
      if (!isOurs(error)) this.#found(input, error);
    }
    if (performance.now() - began > slow) this.#found(input, new Error(`takes longer than ${slow} ms`));
  }

  #found(input: string, error: unknown): void {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const place = what.split('\n').slice(0, 3).join('\n').replace(/\d+/g, '');
    const known = this.findings.get(place);
    if (known === undefined || input.length < known.input.length) this.findings.set(place, { input, what });
  }
}
