/**
 * A linear softmax policy over a handful of characters: a token's logit is the sum, over what its place looks like, of
 * one number a look and token. Small enough to write its derivatives down. Shares no arithmetic with `src`.
 */
import { outOfRange } from '../../../src/shared/outOfRange.ts';

/** How one role reads a place, and what it would say there before any training. */
export interface Reader {
  /** Token ids that it can say, its stop token among them. */
  readonly alphabet: readonly number[];
  /** Every look that a place can have. */
  readonly looks: readonly string[];
  /** Logit of a token at places that look so, untrained. */
  initial(look: string, token: number): number;
  /** The features of the place after this text. */
  read(before: string): readonly string[];
}

export const textOf = (tokens: readonly number[]): string => String.fromCharCode(...tokens);

/** The choice at one place. */
export interface Place {
  /** Rows of the weights that this place reads. */
  rows: readonly number[];
  /** By token of the alphabet; the sum of the rows. */
  logits: readonly number[];
  /** By token of the alphabet, at temperature 1. */
  probabilities: readonly number[];
  /** ln Σ exp(logit). */
  logNormaliser: number;
}

/** Weights of a reader: looks × alphabet, row by row. */
export class Softmax {
  readonly reader: Reader;
  readonly weights: Float64Array;
  readonly #rows: ReadonlyMap<string, number>;

  constructor(reader: Reader, weights?: Float64Array) {
    this.reader = reader;
    const { looks, alphabet } = reader;
    this.#rows = new Map(looks.map((look, row) => [look, row]));
    const fresh = looks.flatMap((look) => alphabet.map((token) => reader.initial(look, token)));
    this.weights = Float64Array.from(weights ?? fresh);
  }

  get width(): number {
    return this.reader.alphabet.length;
  }

  column(token: number): number {
    return this.reader.alphabet.indexOf(token);
  }

  place(before: string): Place {
    const rows = this.reader.read(before).map((look) => {
      const row = this.#rows.get(look);
      if (row === undefined) throw new Error(`No place looks like "${look}".`);
      return row;
    });
    const { weights, width } = this;
    const logits: number[] = [];
    for (let column = 0; column < width; column++) {
      let sum = 0;
      for (const row of rows) sum += weights[row * width + column] ?? outOfRange();
      logits.push(sum);
    }
    const top = Math.max(...logits);
    const logNormaliser = top + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - top), 0));
    return { rows, logits, logNormaliser, probabilities: logits.map((logit) => Math.exp(logit - logNormaliser)) };
  }

  /** Of each token, given those before it; 0 for the first and for what it reads but cannot say. */
  logprobs(tokens: readonly number[]): number[] {
    const text = textOf(tokens);
    return tokens.map((token, i) => {
      const column = this.column(token);
      if (i === 0 || column < 0) return 0;
      const { logits, logNormaliser } = this.place(text.slice(0, i));
      return (logits[column] ?? outOfRange()) - logNormaliser;
    });
  }

  /** Adds `slope` · ∂ ln π(token | before) / ∂ weights to a gradient of the weights' shape. */
  addSlope(gradient: Float64Array, before: string, token: number, slope: number): void {
    const { rows, probabilities } = this.place(before);
    const said = this.column(token);
    for (const row of rows) {
      for (const [column, probability] of probabilities.entries()) {
        const cell = row * this.width + column;
        gradient[cell] = (gradient[cell] ?? outOfRange()) + slope * ((column === said ? 1 : 0) - probability);
      }
    }
  }
}
