/** Python's tokens, as far as expressions need them. */
import { PythonFault } from './fault.ts';

export interface Token {
  kind: 'name' | 'keyword' | 'number' | 'string' | 'mark' | 'newline' | 'end';
  /** As it stands; a name in its normal form. */
  text: string;
}

export const keywords: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

const gap = /[ \t\f]*/y;
const comment = /#[^\n]*/y;
const continuation = /\\\n/y;
const name = /[\p{XID_Start}_\u1885\u1886\u2118\u212e\u309b\u309c][\p{XID_Continue}_]*/uy;
const stringStart = /(?:[rR][bBfF]?|[bB][rR]?|[fF][rR]?|[uU])?(?:"""|'''|"|')/y;
const marks = /\*\*=|\/\/=|<<=|>>=|\.\.\.|\*\*|\/\/|<<|>>|<=|>=|==|!=|->|:=|[-+*/%@&|^]=|[-+*/%@&|^~<>()[\]{},:.;=]/y;
const number =
  /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:[0-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?[jJ]?|[0-9](?:_?[0-9])*\.?(?:[eE][-+]?[0-9](?:_?[0-9])*)?[jJ]?/y;
/** A keyword may follow a number at once. */
const afterNumber = /(?![\p{XID_Continue}_])|(?=and|else|for|i[fns]|or|not)/uy;
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const deepest = 200;

const syntax = (message: string): PythonFault => new PythonFault('syntax', message);

/** Ends with an `end`; newlines count outside brackets alone. @throws PythonFault */
export function tokensOf(source: string): Token[] {
  if (!source.isWellFormed() || source.includes('\0')) throw syntax('characters that no source may have');
  return new Lexer(source.replace(/\r\n?/g, '\n')).tokens();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  /** The brackets that close the open ones. */
  readonly #open: string[] = [];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  tokens(): Token[] {
    for (;;) {
      this.#match(gap);
      this.#match(comment);
      if (this.#at === this.#source.length) break;
      if (this.#match(continuation) !== null) {
        if (this.#at === this.#source.length) throw syntax('unexpected EOF after line continuation');
      } else this.#token();
    }
    if (this.#open.length > 0) throw syntax('a bracket was never closed');
    this.#push('end', '');
    return this.#tokens;
  }

  #token(): void {
    const first = this.#source.charAt(this.#at);
    if (first === '\n') {
      this.#at += 1;
      if (this.#open.length === 0) this.#push('newline', first);
    } else if ((first >= '0' && first <= '9') || (first === '.' && /[0-9]/.test(this.#source.charAt(this.#at + 1)))) {
      this.#number();
    } else {
      const start = this.#match(stringStart);
      if (start !== null) this.#string(start);
      else if (!this.#name()) this.#mark();
    }
  }

  #number(): void {
    const text = this.#match(number);
    afterNumber.lastIndex = this.#at;
    // The remains of a shorter number (`0x`, `1__0`, `1e`, `012`) are a digit or a letter, so they show here too.
    if (text === null || !afterNumber.test(this.#source)) throw syntax('invalid number');
    if (/^0[0-9_]*[1-9][0-9_]*$/.test(text))
      throw syntax('leading zeros in decimal integer literals are not permitted');
    this.#push('number', text);
  }

  #string(start: string): void {
    const quote = start.endsWith('"""') || start.endsWith("'''") ? start.slice(-3) : start.slice(-1);
    const begin = this.#at - start.length;
    for (let at = this.#at; at < this.#source.length; at++) {
      const character = this.#source.charAt(at);
      if (character === '\\') at += 1;
      else if (character === '\n' && quote.length === 1) break;
      else if (character === quote.charAt(0) && this.#source.startsWith(quote, at)) {
        this.#at = at + quote.length;
        this.#push('string', this.#source.slice(begin, this.#at));
        return;
      }
    }
    throw syntax('unterminated string literal');
  }

  #name(): boolean {
    const text = this.#match(name);
    if (text === null) return false;
    const normal = text.normalize('NFKC');
    this.#push(keywords.has(normal) && normal === text ? 'keyword' : 'name', normal);
    return true;
  }

  #mark(): void {
    const text = this.#match(marks);
    if (text === null) throw syntax('invalid character');
    const closer = closers[text];
    if (closer !== undefined) {
      if (this.#open.length >= deepest) throw syntax('too many nested parentheses');
      this.#open.push(closer);
    } else if (text === ')' || text === ']' || text === '}') {
      if (this.#open.pop() !== text) throw syntax('a closing bracket does not match');
    }
    this.#push('mark', text);
  }

  #push(kind: Token['kind'], text: string): void {
    this.#tokens.push({ kind, text });
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? null;
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
