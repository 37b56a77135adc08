/** Python's `json`: whole numbers of any size apart from floats, NaN and the infinities understood. */
import * as l10n from '@vscode/l10n';
import type { PythonValue } from './value.ts';

const number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const string = /"[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*"/y;
/** Of a string, what stands before its end or an escape. */
const unescaped = /[^"\\\u0000-\u001f]*/y;
const gap = /[ \t\n\r]*/y;
/** The last of the characters that may be a gap. */
const space = 0x20;
const constants: readonly (readonly [string, PythonValue])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
];
/** Python gives up at about a thousand. */
const deepest = 990;
/** Of a whole number, past which Python does not read it. */
const mostDigits = 4300;

/** `json.loads(text)`. @throws SyntaxError when that fails */
export function parseJson(text: string): PythonValue {
  return new Reader(text).whole();
}

/** JSON text of a value: 5 and 5.0 stay apart. What JSON cannot write (NaN, the infinities) becomes null. */
export function jsonText(value: PythonValue): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') return floatText(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (value instanceof Map) {
    return `{${Array.from(value, ([key, item]) => `${JSON.stringify(key)}:${jsonText(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /^-?[0-9]+$/.test(text) ? `${text}.0` : text;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): PythonValue {
    const value = this.#value(0);
    if (this.#at !== this.#text.length) throw this.#error(l10n.t('extra data'));
    return value;
  }

  /** One value and the white space on both of its sides. */
  #value(depth: number): PythonValue {
    this.#skip();
    const value = this.#bare(depth);
    this.#skip();
    return value;
  }

  #bare(depth: number): PythonValue {
    if (depth > deepest) throw this.#error(l10n.t('nested too deeply'));
    const first = this.#text[this.#at];
    if (first === '"') return this.#string();
    if (first === '[') return this.#array(depth);
    if (first === '{') return this.#object(depth);
    for (const [name, value] of constants) {
      if (!this.#text.startsWith(name, this.#at)) continue;
      this.#at += name.length;
      return value;
    }
    const digits = this.#match(number);
    if (digits === null) throw this.#error(l10n.t('a value is missing'));
    if (digits[1] !== undefined || digits[2] !== undefined) return Number(digits[0]);
    if (digits[0].length > mostDigits) throw this.#error(l10n.t('a number has too many digits'));
    return BigInt(digits[0]);
  }

  #string(): string {
    unescaped.lastIndex = this.#at + 1;
    unescaped.test(this.#text);
    const end = unescaped.lastIndex;
    if (this.#text[this.#at] === '"' && this.#text[end] === '"') {
      const plain = this.#text.slice(this.#at + 1, end);
      this.#at = end + 1;
      return plain;
    }
    const found = this.#match(string);
    if (found === null) throw this.#error(l10n.t('a string is not closed'));
    return String(JSON.parse(found[0]));
  }

  #array(depth: number): PythonValue[] {
    const items: PythonValue[] = [];
    this.#at += 1;
    this.#skip();
    if (this.#take(']')) return items;
    do items.push(this.#value(depth + 1));
    while (this.#take(','));
    if (!this.#take(']')) throw this.#error(l10n.t('a list is not closed'));
    return items;
  }

  #object(depth: number): Map<string, PythonValue> {
    const members = new Map<string, PythonValue>();
    this.#at += 1;
    this.#skip();
    if (this.#take('}')) return members;
    do {
      this.#skip();
      const name = this.#string();
      this.#skip();
      if (!this.#take(':')) throw this.#error(l10n.t('a colon is missing'));
      members.set(name, this.#value(depth + 1));
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#error(l10n.t('an object is not closed'));
    return members;
  }

  #skip(): void {
    if (this.#text.charCodeAt(this.#at) <= space) this.#match(gap);
  }

  #take(mark: string): boolean {
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #error(what: string): SyntaxError {
    return new SyntaxError(l10n.t('{0}, at character {1}', what, this.#at + 1));
  }
}
