import { PythonFault } from './fault.ts';
import type { Token } from './tokens.ts';

/** A place among tokens, which moves ahead. */
export class Cursor {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** @param tokens the last is an `end` */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** The token here, or so many further on. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? { kind: 'end', text: '' };
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  /** Whether this mark or keyword stands here. */
  at(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && (token.kind === 'mark' || token.kind === 'keyword');
  }

  /** Goes past this mark or keyword if it stands here. */
  take(text: string): boolean {
    const found = this.at(text);
    if (found) this.#at += 1;
    return found;
  }

  /** @throws PythonFault when something else stands here */
  expect(text: string): void {
    if (!this.take(text)) throw this.fault();
  }

  /** @throws PythonFault when no name stands here */
  name(): string {
    const token = this.next();
    if (token.kind !== 'name') throw this.fault();
    return token.text;
  }

  fault(): PythonFault {
    return new PythonFault('syntax', 'invalid syntax');
  }
}
