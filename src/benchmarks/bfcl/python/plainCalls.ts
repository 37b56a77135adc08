/**
 * Calls as models nearly always write them, `[f(x=1, y=['a', True])]`, read in one pass. Whatever else stands in a text is the
 * whole grammar's (expressions.ts), of which this is a part: a test holds the two to each other.
 */
import type { Call } from '../call.ts';
import { keywords } from './tokens.ts';
import { Dict, type Value } from './value.ts';

/** Deeper values are the whole grammar's, too. */
const deepest = 20;

const gap = /[ \t\n]*/y;
/** The last of the characters that may be a gap. */
const space = 0x20;
const names = /[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*/y;
const name = /[A-Za-z_][A-Za-z_0-9]*/y;
/** Without escapes, and on one line. */
const string = /'[^'\\\n\r\0]*'|"[^"\\\n\r\0]*"/y;
const number = /(?:0|[1-9][0-9]{0,14})(\.[0-9]+)?(?![A-Za-z_0-9.]|[^\0-\x7f])/y;
const word = /(?:True|False|None)(?![A-Za-z_0-9.]|[^\0-\x7f])/y;
const words: Readonly<Record<string, Value>> = { True: true, False: false, None: null };

/** Null for what is none, or may be some other expression. */
export function plainCalls(text: string): Call[] | null {
  return text.isWellFormed() ? new Reader(text).whole() : null;
}

const hasKeyword = (dotted: string): boolean =>
  dotted.includes('.') ? dotted.split('.').some((part) => keywords.has(part)) : keywords.has(dotted);

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Call[] | null {
    if (!this.#take('[')) return null;
    const calls: Call[] = [];
    if (!this.#items(']', () => this.#call(calls))) return null;
    return this.#at === this.#text.length ? calls : null;
  }

  #call(calls: Call[]): boolean {
    const found = this.#match(names);
    if (found === null || hasKeyword(found) || !this.#take('(')) return false;
    const parameters = new Dict();
    calls.push({ name: found, parameters });
    return this.#items(')', () => {
      const parameter = this.#match(name);
      if (parameter === null || keywords.has(parameter) || !this.#take('=')) return false;
      const value = this.#value(0);
      if (value !== undefined) parameters.set(parameter, value);
      return value !== undefined;
    });
  }

  /** Items up to a bracket, a comma between them. False when one is not read, or something else stands there. */
  #items(closer: string, item: () => boolean): boolean {
    if (this.#take(closer)) return true;
    do if (!item()) return false;
    while (this.#take(','));
    return this.#take(closer);
  }

  /** Undefined for what is not read. */
  #value(depth: number): Value | undefined {
    this.#skip();
    switch (this.#text.charAt(this.#at)) {
      case '"':
      case "'":
        return this.#match(string)?.slice(1, -1);
      case '[':
        return depth < deepest ? this.#list(depth + 1) : undefined;
      case '{':
        return depth < deepest ? this.#dict(depth + 1) : undefined;
      case '-':
        this.#at += 1;
        return this.#number(true);
      case 'T':
      case 'F':
      case 'N':
        return words[this.#match(word) ?? ''];
      default:
        return this.#number(false);
    }
  }

  #number(isNegative: boolean): Value | undefined {
    const found = this.#match(number);
    if (found === null) return undefined;
    if (found.includes('.')) return isNegative ? -Number(found) : Number(found);
    return isNegative ? -BigInt(found) : BigInt(found);
  }

  #list(depth: number): Value[] | undefined {
    this.#at += 1;
    const values: Value[] = [];
    const isWhole = this.#items(']', () => {
      const value = this.#value(depth);
      if (value !== undefined) values.push(value);
      return value !== undefined;
    });
    return isWhole ? values : undefined;
  }

  #dict(depth: number): Dict | undefined {
    this.#at += 1;
    const dict = new Dict();
    const isWhole = this.#items('}', () => {
      const key = this.#match(string)?.slice(1, -1);
      if (key === undefined || !this.#take(':')) return false;
      const value = this.#value(depth);
      if (value !== undefined) dict.set(key, value);
      return value !== undefined;
    });
    return isWhole ? dict : undefined;
  }

  #skip(): void {
    if (this.#text.charCodeAt(this.#at) > space) return;
    gap.lastIndex = this.#at;
    gap.test(this.#text);
    this.#at = gap.lastIndex;
  }

  #take(mark: string): boolean {
    this.#skip();
    if (this.#text.charAt(this.#at) !== mark) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | null {
    this.#skip();
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }
}
