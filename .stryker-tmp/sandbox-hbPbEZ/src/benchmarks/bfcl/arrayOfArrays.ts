/** The two-dimensional array that a text begins with. */
import { space } from '../python/text.ts';

const spaces = new RegExp(`[${space}]*`, 'y');
const start = new RegExp(`\\[|new[${space}]+Array\\(`, 'y');

/**
 * `[[…], […]]` or `new Array([…], […])` at the beginning, as it stands; null without one. A row may hold brackets: it ends at
 * the first `]` with which the whole fits. As a regular expression this would try every way to cut the rows.
 */
export function arrayOfArrays(text: string): string | null {
  start.lastIndex = 0;
  const opening = start.exec(text)?.[0];
  if (opening === undefined) return null;
  const end = new Matcher(text, opening === '[' ? ']' : ')').row(opening.length);
  return end === null ? null : text.slice(0, end);
}

class Matcher {
  readonly #text: string;
  readonly #closer: string;
  /** By where a row's content begins, and by what follows a row: where the whole ends from there. */
  readonly #rows = new Map<number, number | null>();
  readonly #rests = new Map<number, number | null>();

  constructor(text: string, closer: string) {
    this.#text = text;
    this.#closer = closer;
  }

  /** A row that begins here, after white space. */
  row(at: number): number | null {
    const open = this.#skip(at);
    if (this.#text[open] !== '[') return null;
    const known = this.#rows.get(open);
    if (known !== undefined) return known;
    let end: number | null = null;
    for (let close = open + 1; close < this.#text.length && this.#text[close] !== '\n'; close++) {
      if (this.#text[close] !== ']') continue;
      end = this.#rest(this.#skip(close + 1));
      if (end !== null) break;
    }
    this.#rows.set(open, end);
    return end;
  }

  #rest(at: number): number | null {
    const known = this.#rests.get(at);
    if (known !== undefined) return known;
    const more = this.#text[at] === ',' ? this.row(at + 1) : null;
    const end = more ?? (this.#text[at] === this.#closer ? at + 1 : null);
    this.#rests.set(at, end);
    return end;
  }

  #skip(at: number): number {
    spaces.lastIndex = at;
    spaces.exec(this.#text);
    return spaces.lastIndex;
  }
}
