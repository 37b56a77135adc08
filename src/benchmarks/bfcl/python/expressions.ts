/** Reads Python's expressions by the grammar of Python 3.11. */
import { callArguments } from './callArguments.ts';
import { Cursor } from './cursor.ts';
import { braces, listDisplay, parentheses } from './displays.ts';
import { PythonFault } from './fault.ts';
import { joined } from './text/formatted.ts';
import { untilClosed, type Grammar } from './grammar.ts';
import { lambda } from './lambda.ts';
import { bytesOf, numberOf, takeApart, textOf } from './literals.ts';
import { ellipsis, type BinaryOperator, type Comparison, type Expression, type UnaryOperator } from './syntax.ts';
import { tokensOf } from './tokens.ts';
import { Bytes } from './value.ts';

/** Python gives up on chains of operators when its own stack ends. */
const deepest = 900;

/** `ast.parse(source, mode='eval').body`. @throws PythonFault */
export function parseExpression(source: string): Expression {
  return new Reader(source).whole();
}

/** The expressions of a program of nothing else: one a line, or several with `;` between. @throws PythonFault */
export function parseExpressions(source: string): Expression[] {
  return new Reader(source).each();
}

/** From the loosest to the tightest. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '//', '%', '@'],
];
const comparisons: readonly Comparison[] = ['==', '!=', '<=', '<', '>=', '>', 'in'];
const signs: readonly UnaryOperator[] = ['+', '-', '~'];

class Reader implements Grammar {
  readonly cursor: Cursor;
  #depth = 0;

  constructor(source: string) {
    this.cursor = new Cursor(tokensOf(source));
  }

  whole(): Expression {
    const { cursor } = this;
    const only = this.#statement();
    while (cursor.peek().kind === 'newline') cursor.next();
    if (cursor.peek().kind !== 'end') throw cursor.fault();
    return only;
  }

  each(): Expression[] {
    const { cursor } = this;
    const found: Expression[] = [];
    for (;;) {
      while (cursor.peek().kind === 'newline') cursor.next();
      if (cursor.peek().kind === 'end') return found;
      found.push(this.#statement());
      if (!cursor.take(';') && !['newline', 'end'].includes(cursor.peek().kind)) throw cursor.fault();
    }
  }

  /** An expression, or a tuple without parentheses. */
  #statement(): Expression {
    const { cursor } = this;
    const first = this.expression();
    const items = [first];
    let isTuple = false;
    while (cursor.take(',')) {
      isTuple = true;
      if (['newline', 'end'].includes(cursor.peek().kind) || cursor.at(';')) break;
      items.push(this.expression());
    }
    return isTuple ? { kind: 'tuple', items } : first;
  }

  expression(): Expression {
    if (this.#depth > deepest) throw new PythonFault('syntax', 'nested too deeply');
    this.#depth += 1;
    try {
      if (this.cursor.take('lambda')) return lambda(this);
      const body = this.disjunction();
      if (!this.cursor.take('if')) return body;
      const test = this.disjunction();
      this.cursor.expect('else');
      return { kind: 'conditional', test, body, otherwise: this.expression() };
    } finally {
      this.#depth -= 1;
    }
  }

  named(): Expression {
    if (this.cursor.peek().kind !== 'name' || !this.cursor.at(':=', 1)) return this.expression();
    const name = this.cursor.name();
    this.cursor.expect(':=');
    return { kind: 'named', name, value: this.expression() };
  }

  starNamed(): Expression {
    return this.cursor.take('*') ? { kind: 'starred', value: this.bitwiseOr() } : this.named();
  }

  disjunction(): Expression {
    return this.#boolean('or', () => this.#boolean('and', () => this.#inversion()));
  }

  bitwiseOr(): Expression {
    return this.#binary(0);
  }

  primary(): Expression {
    if (this.cursor.take('await')) return { kind: 'await', value: this.#trailers(this.#atom()) };
    return this.#trailers(this.#atom());
  }

  #boolean(operator: 'and' | 'or', operand: () => Expression): Expression {
    const first = operand();
    if (!this.cursor.at(operator)) return first;
    const operands = [first];
    while (this.cursor.take(operator)) operands.push(operand());
    return { kind: 'boolean', operator, operands };
  }

  #inversion(): Expression {
    if (!this.cursor.take('not')) return this.#comparison();
    return this.#deeper(() => ({ kind: 'unary', operator: 'not', operand: this.#inversion() }));
  }

  #comparison(): Expression {
    const first = this.bitwiseOr();
    const rest: Extract<Expression, { kind: 'compare' }>['rest'] = [];
    for (let operator = this.#compares(); operator !== null; operator = this.#compares()) {
      rest.push({ operator, operand: this.bitwiseOr() });
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest };
  }

  #compares(): Comparison | null {
    const { cursor } = this;
    if (cursor.take('is')) return cursor.take('not') ? 'is not' : 'is';
    if (cursor.at('not') && cursor.at('in', 1)) {
      cursor.next();
      cursor.next();
      return 'not in';
    }
    return comparisons.find((operator) => cursor.take(operator)) ?? null;
  }

  #binary(level: number): Expression {
    const operators = levels[level];
    if (operators === undefined) return this.#factor();
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((one) => this.cursor.take(one));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) };
    }
  }

  #factor(): Expression {
    const operator = signs.find((sign) => this.cursor.take(sign));
    if (operator !== undefined) return this.#deeper(() => ({ kind: 'unary', operator, operand: this.#factor() }));
    const base = this.primary();
    if (!this.cursor.take('**')) return base;
    return this.#deeper(() => ({ kind: 'binary', operator: '**', left: base, right: this.#factor() }));
  }

  #deeper(read: () => Expression): Expression {
    if (this.#depth > deepest) throw new PythonFault('syntax', 'nested too deeply');
    this.#depth += 1;
    const found = read();
    this.#depth -= 1;
    return found;
  }

  #trailers(atom: Expression): Expression {
    const { cursor } = this;
    let value = atom;
    for (;;) {
      if (cursor.take('.')) value = { kind: 'attribute', value, name: cursor.name() };
      else if (cursor.take('(')) value = { kind: 'call', callee: value, ...callArguments(this) };
      else if (cursor.take('[')) value = { kind: 'subscript', value, index: this.#index() };
      else return value;
    }
  }

  #index(): Expression {
    const { cursor } = this;
    const { items, endsWithComma } = untilClosed(cursor, ']', () => this.#slice());
    cursor.expect(']');
    const [first] = items;
    if (first === undefined) throw cursor.fault();
    return items.length > 1 || endsWithComma || first.kind === 'starred' ? { kind: 'tuple', items } : first;
  }

  #slice(): Expression {
    const { cursor } = this;
    if (cursor.take('*')) return { kind: 'starred', value: this.expression() };
    const isNamed = cursor.at(':=', 1);
    const lower = cursor.at(':') ? null : this.named();
    if (lower !== null && (isNamed || !cursor.at(':'))) return lower;
    cursor.expect(':');
    const upper = this.#bound();
    return { kind: 'slice', lower, upper, step: cursor.take(':') ? this.#bound() : null };
  }

  #bound(): Expression | null {
    return [':', ',', ']'].some((mark) => this.cursor.at(mark)) ? null : this.expression();
  }

  #atom(): Expression {
    const token = this.cursor.next();
    switch (token.kind) {
      case 'name':
        return { kind: 'name', name: token.text };
      case 'number':
        return { kind: 'constant', value: numberOf(token.text), isUnicode: false };
      case 'string':
        return this.#strings(token.text);
      default:
        return this.#markOrKeyword(token.text);
    }
  }

  #markOrKeyword(text: string): Expression {
    switch (text) {
      case '(':
        return parentheses(this);
      case '[':
        return listDisplay(this);
      case '{':
        return braces(this);
      case '...':
        return { kind: 'constant', value: ellipsis, isUnicode: false };
      case 'True':
      case 'False':
        return { kind: 'constant', value: text === 'True', isUnicode: false };
      case 'None':
        return { kind: 'constant', value: null, isUnicode: false };
      default:
        throw this.cursor.fault();
    }
  }

  /** Strings that stand one after the other are one. */
  #strings(first: string): Expression {
    const tokens = [takeApart(first)];
    while (this.cursor.peek().kind === 'string') tokens.push(takeApart(this.cursor.next().text));
    const bytes = tokens.filter(({ prefix }) => prefix.includes('b')).length;
    if (bytes > 0 && bytes < tokens.length) throw new PythonFault('syntax', 'cannot mix bytes and nonbytes literals');
    if (bytes > 0) {
      const all = new Bytes(tokens.map((token) => bytesOf(token).latin1).join(''));
      return { kind: 'constant', value: all, isUnicode: false };
    }
    if (tokens.some(({ prefix }) => prefix.includes('f'))) return joined(tokens, parseExpression);
    const isUnicode = tokens[0]?.prefix === 'u';
    return { kind: 'constant', value: tokens.map((token) => textOf(token)).join(''), isUnicode };
  }
}
