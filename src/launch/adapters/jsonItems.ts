/** The records of a JSON text that arrives in pieces: the items of a list, or the one object that it is. */

import { longestLine, TooLong } from '../../runs/import/textLines.ts';

export interface JsonItem {
  /** Its JSON, as it stands. */
  text: string;
  /** Where it begins, from 1. */
  line: number;
  /** Whether its end was seen, with valid JSON around it. */
  whole: boolean;
}

const isBlank = (char: string): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';

class Items {
  #line = 1;
  #state: 'before' | 'between' | 'inside' | 'after' = 'before';
  /** A list's items are its; an object at the top is the one item. */
  #list = false;
  #text = '';
  #start = 1;
  #depth = 0;
  #quoted = false;
  #escaped = false;

  *take(piece: string, longest: number): Generator<JsonItem> {
    let from = 0;
    for (let i = 0; i < piece.length; i += 1) {
      const char = piece.charAt(i);
      if (this.#state === 'inside') {
        const ends = this.#inside(char);
        if (ends !== null) {
          this.#text += piece.slice(from, ends === 'with' ? i + 1 : i);
          yield { text: this.#text, line: this.#start, whole: true };
          this.#text = '';
          this.#state = this.#list && char !== ']' ? 'between' : 'after';
          // The bracket that closes an item of brackets is not the list's.
          if (ends === 'with' && this.#list) this.#state = 'between';
        }
      } else if (this.#outside(char)) {
        from = i;
        // A value of one letter, and an opening bracket, are processed like content.
        this.#inside(char);
      } else if (this.#state === 'after' && !isBlank(char) && char !== ']' && char !== ',') {
        yield { text: char, line: this.#line, whole: false };
        return;
      }
      if (char === '\n') this.#line += 1;
    }
    if (this.#state !== 'inside') return;
    this.#text += piece.slice(from);
    if (this.#text.length > longest) throw new TooLong(this.#text.length);
  }

  *end(): Generator<JsonItem> {
    if (this.#state === 'inside') yield { text: this.#text, line: this.#start, whole: false };
    else if (this.#state === 'between') yield { text: '', line: this.#line, whole: false };
  }

  /** True where an item begins. */
  #outside(char: string): boolean {
    if (isBlank(char) || this.#state === 'after') return false;
    if (this.#state === 'before' && char === '[') {
      this.#list = true;
      this.#state = 'between';
      return false;
    }
    if (this.#list && char === ']') {
      this.#state = 'after';
      return false;
    }
    if (this.#list && char === ',') return false;
    this.#state = 'inside';
    this.#start = this.#line;
    return true;
  }

  /** `with`: the item ends with this letter; `before`: it ended before it. */
  #inside(char: string): 'with' | 'before' | null {
    if (this.#quoted) {
      if (this.#escaped) this.#escaped = false;
      else if (char === '\\') this.#escaped = true;
      else if (char === '"') this.#quoted = false;
      return null;
    }
    if (char === '"') this.#quoted = true;
    else if (char === '{' || char === '[') this.#depth += 1;
    else if ((char === '}' || char === ']') && this.#depth > 0) {
      this.#depth -= 1;
      if (this.#depth === 0) return 'with';
    } else if (this.#depth === 0 && (char === ',' || char === ']')) return 'before';
    return null;
  }
}

/** Never more of the text is held than one item. @throws TooLong */
export async function* jsonItems(pieces: AsyncIterable<string>, longest = longestLine): AsyncGenerator<JsonItem> {
  const items = new Items();
  for await (const piece of pieces) yield* items.take(piece, longest);
  yield* items.end();
}
