/** Python's `ast.literal_eval`, for what JSON can hold too: texts, numbers, None, booleans, lists, tuples, dicts. */
import * as l10n from '@vscode/l10n';
import { stringAt } from './stringLiteral.ts';
import type { PythonValue } from './value.ts';

const gap = /(?:[ \t\f\r\n]|#[^\n]*|\\\n)*/y;
const name = /[A-Za-z_][A-Za-z_0-9]*/y;
const float =
  /(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?|[0-9](?:_?[0-9])*(?:\.(?:[eE][-+]?[0-9](?:_?[0-9])*)?|[eE][-+]?[0-9](?:_?[0-9])*)/y;
const integer = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|0(?:_?0)*(?![0-9])|[1-9](?:_?[0-9])*/y;
const constants = new Map<string, PythonValue>([
  ['None', null],
  ['True', true],
  ['False', false],
]);
/** Python's parser gives up at about two hundred brackets. */
const deepest = 190;

/** The value that a Python literal writes; a tuple becomes a list. @throws SyntaxError when it is none */
export function parseLiteral(text: string): PythonValue {
  return new Reader(text.replace(/^[ \t]+/, '')).whole();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): PythonValue {
    const value = this.#items(0, '');
    if (this.#at !== this.#text.length) throw this.#error(l10n.t('more follows'));
    return value;
  }

  /** One value, or a tuple where a comma follows it. @param close the bracket that ends it; '' for the text's end */
  #items(depth: number, close: string): PythonValue {
    const first = this.#value(depth);
    if (!this.#take(',')) return first;
    const items = [first];
    while (this.#text[this.#at] !== close && this.#at < this.#text.length) {
      items.push(this.#value(depth));
      if (!this.#take(',')) break;
    }
    return items;
  }

  /** Reads a value and the white space on both of its sides. */
  #value(depth: number): PythonValue {
    this.#skip();
    const value = this.#bare(depth);
    this.#skip();
    return value;
  }

  #bare(depth: number): PythonValue {
    if (depth > deepest) throw this.#error(l10n.t('nested too deeply'));
    const first = this.#text[this.#at];
    if (first === '[') return this.#list(depth + 1);
    if (first === '{') return this.#dict(depth + 1);
    if (first === '(') return this.#tuple(depth + 1);
    if (first === '-' || first === '+') return this.#signed(depth, first);
    return this.#strings() ?? this.#number() ?? this.#constant();
  }

  #list(depth: number): PythonValue[] {
    this.#at += 1;
    const items: PythonValue[] = [];
    this.#skip();
    while (!this.#take(']')) {
      items.push(this.#value(depth));
      if (!this.#take(',') && this.#text[this.#at] !== ']') throw this.#error(l10n.t('a list is not closed'));
      this.#skip();
    }
    return items;
  }

  #dict(depth: number): Map<string, PythonValue> {
    this.#at += 1;
    const members = new Map<string, PythonValue>();
    this.#skip();
    while (!this.#take('}')) {
      const key = this.#value(depth);
      if (typeof key !== 'string') throw this.#error(l10n.t('a key is no text'));
      if (!this.#take(':')) throw this.#error(l10n.t('a colon is missing'));
      members.set(key, this.#value(depth));
      if (!this.#take(',') && this.#text[this.#at] !== '}') throw this.#error(l10n.t('a dict is not closed'));
      this.#skip();
    }
    return members;
  }

  #tuple(depth: number): PythonValue {
    this.#at += 1;
    this.#skip();
    if (this.#take(')')) return [];
    const value = this.#items(depth, ')');
    if (!this.#take(')')) throw this.#error(l10n.t('a bracket is not closed'));
    return value;
  }

  #signed(depth: number, sign: string): bigint | number {
    this.#at += 1;
    this.#skip();
    const value = '+-'.includes(this.#text.charAt(this.#at)) ? null : this.#bare(depth + 1);
    if (typeof value !== 'bigint' && typeof value !== 'number')
      throw this.#error(l10n.t('a sign before what is no number'));
    return sign === '-' ? -value : value;
  }

  /** Texts that stand side by side are one. */
  #strings(): string | null {
    let whole: string | null = null;
    for (;;) {
      const found = stringAt(this.#text, this.#at);
      if (found === null) return whole;
      whole = (whole ?? '') + found.value;
      this.#at = found.end;
      this.#skip();
    }
  }

  #number(): bigint | number | null {
    const found = this.#match(float);
    const digits = found ?? this.#match(integer);
    if (digits === null) return null;
    if (/[\p{L}\p{N}_]/u.test(this.#text.charAt(this.#at))) throw this.#error(l10n.t('a number runs into a word'));
    const plain = digits.replaceAll('_', '');
    return found === null ? BigInt(/^0+$/.test(plain) ? '0' : plain) : Number(plain);
  }

  #constant(): PythonValue {
    const word = this.#match(name) ?? '';
    const value = constants.get(word);
    if (value === undefined)
      throw this.#error(word === '' ? l10n.t('a value is missing') : l10n.t('"{0}" is no literal', word));
    return value;
  }

  #skip(): void {
    this.#match(gap);
  }

  #take(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    this.#skip();
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #error(what: string): SyntaxError {
    return new SyntaxError(l10n.t('{0}, at character {1}', what, this.#at + 1));
  }
}
