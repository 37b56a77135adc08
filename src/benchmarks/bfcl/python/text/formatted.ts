/** F-strings as Python 3.11 has them: expressions inside are cut out by their brackets and read on their own. */
import { PythonFault } from '../fault.ts';
import { textOf, type StringToken } from '../literals.ts';
import type { Expression, Formatted, Joined } from '../syntax.ts';

type Parse = (source: string) => Expression;

/** Strings one after the other, at least one of them an f-string. @throws PythonFault */
export function joined(tokens: readonly StringToken[], parse: Parse): Joined {
  const parts: Joined['parts'] = [];
  for (const token of tokens) {
    const found = token.prefix.includes('f') ? new Scanner(token, parse).parts(0) : [textOf(token)];
    for (const part of found) add(parts, part);
  }
  return { kind: 'joined', parts };
}

function add(parts: Joined['parts'], part: string | Formatted): void {
  const last = parts.at(-1);
  if (part === '') return;
  if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
  else parts.push(part);
}

const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const conversions = ['s', 'r', 'a'];
const fault = (message: string): PythonFault => new PythonFault('syntax', `f-string: ${message}`);

class Scanner {
  readonly #token: StringToken;
  readonly #parse: Parse;
  #at = 0;

  constructor(token: StringToken, parse: Parse) {
    this.#token = token;
    this.#parse = parse;
  }

  /** Up to the end, or inside a format up to its `}`, which is left standing. @param depth of formats */
  parts(depth: number): (string | Formatted)[] {
    const { body } = this.#token;
    const found: (string | Formatted)[] = [];
    while (this.#at < body.length && !(depth > 0 && body.charAt(this.#at) === '}')) {
      add(found, this.#text(depth));
      if (body.charAt(this.#at) === '{') for (const part of this.#field(depth)) add(found, part);
    }
    return found;
  }

  #text(depth: number): string {
    const { body, prefix } = this.#token;
    const isRaw = prefix.includes('r');
    let text = '';
    while (this.#at < body.length) {
      const character = body.charAt(this.#at);
      if (character === '{' || character === '}') {
        if (depth > 0) break;
        if (body.charAt(this.#at + 1) !== character) {
          if (character === '}') throw fault("single '}' is not allowed");
          break;
        }
        this.#at += 1;
      } else if (character === '\\' && !isRaw) {
        text += character;
        this.#at += 1;
        if (body.charAt(this.#at) === '{' || body.charAt(this.#at) === '}') continue;
      }
      text += body.charAt(this.#at);
      this.#at += 1;
    }
    return textOf({ prefix, body: text });
  }

  /** A formatted value; with `=` its own text goes ahead of it. */
  #field(depth: number): (string | Formatted)[] {
    const { body } = this.#token;
    if (depth >= 2) throw fault('expressions nested too deeply');
    this.#at += 1;
    const source = this.#source();
    if (source.trim() === '') throw fault('empty expression not allowed');
    const value = this.#parse(`(${source})`);
    let before = '';
    if (body.charAt(this.#at) === '=') {
      this.#at += 1;
      const space = /^[ \t\n\r\f\v]*/.exec(body.slice(this.#at))?.[0] ?? '';
      this.#at += space.length;
      before = `${source}=${space}`;
    }
    let conversion = '';
    if (body.charAt(this.#at) === '!') {
      conversion = body.charAt(this.#at + 1);
      if (!conversions.includes(conversion)) throw fault('invalid conversion character');
      this.#at += 2;
    }
    let spec: Joined | null = null;
    if (body.charAt(this.#at) === ':') {
      this.#at += 1;
      spec = { kind: 'joined', parts: this.parts(depth + 1) };
    }
    if (body.charAt(this.#at) !== '}') throw fault("expecting '}'");
    this.#at += 1;
    if (before !== '' && conversion === '' && spec === null) conversion = 'r';
    return [before, { kind: 'formatted', value, conversion, spec }];
  }

  /** The expression's own text: up to `!`, `:`, `=` or `}` outside of brackets and strings. */
  #source(): string {
    const { body } = this.#token;
    const start = this.#at;
    const open: string[] = [];
    let quote = '';
    for (; this.#at < body.length; this.#at++) {
      const character = body.charAt(this.#at);
      if (character === '\\') throw fault('expression part cannot include a backslash');
      if (quote !== '') {
        if (!body.startsWith(quote, this.#at)) continue;
        this.#at += quote.length - 1;
        quote = '';
      } else if (character === '"' || character === "'") {
        quote = body.startsWith(character.repeat(3), this.#at) ? character.repeat(3) : character;
        this.#at += quote.length - 1;
      } else if (character in closers) open.push(closers[character] ?? '');
      else if (character === '#') throw fault("expression part cannot include '#'");
      else if (open.length === 0 && this.#ends(character)) break;
      else if (open.length > 0 && ')]}'.includes(character) && open.pop() !== character)
        throw fault('unmatched bracket');
    }
    if (quote !== '') throw fault('unterminated string');
    if (open.length > 0) throw fault('unmatched bracket');
    return body.slice(start, this.#at);
  }

  #ends(character: string): boolean {
    const { body } = this.#token;
    if (!'!:=<>})]'.includes(character)) return false;
    if (character === ')' || character === ']') throw fault(`unmatched '${character}'`);
    const pair = body.slice(this.#at, this.#at + 2);
    if (['!=', '==', '<=', '>='].includes(pair)) {
      this.#at += 1;
      return false;
    }
    return character !== '<' && character !== '>';
  }
}
