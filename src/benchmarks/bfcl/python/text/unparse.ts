/** Python's own rendering of an expression (`ast.unparse` of Python 3.11). */
import { append } from '../../../../shared/append.ts';
import { PythonFault } from '../fault.ts';
import { repr, stringRepr, unprintable } from './repr.ts';
import {
  ellipsis,
  type BinaryOperator,
  type Expression,
  type Joined,
  type Loop,
  type Parameter,
  type Parameters,
} from '../syntax.ts';
import { Complex, type Value } from '../value.ts';

/** How tightly things bind; what binds looser than its place asks for gets brackets. */
const binds = {
  named: 1,
  tuple: 2,
  yield: 3,
  test: 4,
  or: 5,
  and: 6,
  not: 7,
  compare: 8,
  expression: 9,
  factor: 15,
  power: 16,
  await: 17,
  atom: 18,
} as const;

const operatorBinds: Readonly<Record<BinaryOperator, number>> = {
  '|': 9,
  '^': 10,
  '&': 11,
  '<<': 12,
  '>>': 12,
  '+': 13,
  '-': 13,
  '*': 14,
  '/': 14,
  '//': 14,
  '%': 14,
  '@': 14,
  '**': binds.power,
};

/** Python's own rendering ends with its stack at about so many levels. */
const deepest = 328;

/** @throws PythonFault for an f-string that cannot be written */
export const unparse = (expression: Expression): string => new Renderer(false).render(expression, binds.test);

class Renderer {
  /** Inside an f-string's expression, which cannot hold backslashes. */
  readonly #avoidsBackslashes: boolean;
  #depth = 0;

  constructor(avoidsBackslashes: boolean) {
    this.#avoidsBackslashes = avoidsBackslashes;
  }

  /** @param place how tightly it must bind here */
  render(expression: Expression, place: number): string {
    if (this.#depth > deepest) throw new PythonFault('value', 'maximum recursion depth exceeded');
    this.#depth += 1;
    const text = this.#text(expression, place);
    this.#depth -= 1;
    return text;
  }

  #text(expression: Expression, place: number): string {
    switch (expression.kind) {
      case 'constant':
        return this.#constant(expression.value, expression.isUnicode);
      case 'name':
        return expression.name;
      case 'attribute':
        return this.#attribute(expression.value, expression.name);
      case 'call':
        return `${this.render(expression.callee, binds.atom)}(${this.#arguments(expression)})`;
      case 'subscript':
        return `${this.render(expression.value, binds.atom)}[${this.#index(expression.index)}]`;
      case 'slice': {
        const [lower, upper, step] = [expression.lower, expression.upper, expression.step].map((bound) =>
          bound === null ? '' : this.#test(bound),
        );
        return `${lower ?? ''}:${upper ?? ''}${expression.step === null ? '' : `:${step ?? ''}`}`;
      }
      case 'starred':
        return `*${this.render(expression.value, binds.expression)}`;
      case 'list':
        return `[${this.#all(expression.items)}]`;
      case 'set':
        return expression.items.length === 0 ? '{*()}' : `{${this.#all(expression.items)}}`;
      case 'tuple':
        return brackets(expression.items.length === 0 || place > binds.tuple, this.#items(expression.items));
      case 'dict':
        return `{${expression.entries.map(({ key, value }) => this.#entry(key, value)).join(', ')}}`;
      case 'unary': {
        const own = expression.operator === 'not' ? binds.not : binds.factor;
        const space = expression.operator === 'not' ? ' ' : '';
        return brackets(place > own, `${expression.operator}${space}${this.render(expression.operand, own)}`);
      }
      case 'binary': {
        const own = operatorBinds[expression.operator];
        const [left, right] = expression.operator === '**' ? [own + 1, own] : [own, own + 1];
        const text = `${this.render(expression.left, left)} ${expression.operator} ${this.render(expression.right, right)}`;
        return brackets(place > own, text);
      }
      case 'boolean': {
        const own = binds[expression.operator];
        const operands = expression.operands.map((one, at) => this.render(one, Math.min(own + 1 + at, binds.atom)));
        return brackets(place > own, operands.join(` ${expression.operator} `));
      }
      case 'compare': {
        const operand = (one: Expression): string => this.render(one, binds.compare + 1);
        const rest = expression.rest.map((one) => ` ${one.operator} ${operand(one.operand)}`).join('');
        return brackets(place > binds.compare, operand(expression.first) + rest);
      }
      case 'conditional': {
        const [body, test] = [expression.body, expression.test].map((one) => this.render(one, binds.test + 1));
        const text = `${body ?? ''} if ${test ?? ''} else ${this.#test(expression.otherwise)}`;
        return brackets(place > binds.test, text);
      }
      case 'lambda': {
        const parameters = this.#parameters(expression.parameters);
        const text = `lambda${parameters === '' ? '' : ` ${parameters}`}: ${this.#test(expression.body)}`;
        return brackets(place > binds.test, text);
      }
      case 'comprehension':
        return this.#comprehension(expression);
      case 'named':
        return brackets(place > binds.named, `${expression.name} := ${this.render(expression.value, binds.atom)}`);
      case 'await':
        return brackets(place > binds.await, `await ${this.render(expression.value, binds.atom)}`);
      case 'yield': {
        const value = expression.value === null ? '' : ` ${this.render(expression.value, binds.atom)}`;
        return brackets(place > binds.yield, `yield${expression.isFrom ? ' from' : ''}${value}`);
      }
      case 'formatted':
        return this.#formatted([expression]);
      case 'joined':
        return this.#joined(expression);
    }
  }

  #test(expression: Expression): string {
    return this.render(expression, binds.test);
  }

  #all(expressions: readonly Expression[]): string {
    return expressions.map((one) => this.#test(one)).join(', ');
  }

  #items(items: readonly Expression[]): string {
    return this.#all(items) + (items.length === 1 ? ',' : '');
  }

  #constant(value: Value | typeof ellipsis, isUnicode: boolean): string {
    if (value === ellipsis) return '...';
    if (typeof value === 'number' || value instanceof Complex) return repr(value).replaceAll('inf', '1e309');
    const text = typeof value === 'string' && this.#avoidsBackslashes ? plainString(value) : repr(value);
    return isUnicode ? `u${text}` : text;
  }

  #attribute(value: Expression, name: string): string {
    // `3.name` would be read as a float.
    const isInt = value.kind === 'constant' && (typeof value.value === 'bigint' || typeof value.value === 'boolean');
    return `${this.render(value, binds.atom)}${isInt ? ' ' : ''}.${name}`;
  }

  #arguments({ positional, keywords }: Extract<Expression, { kind: 'call' }>): string {
    const named = keywords.map(({ name, value }) => `${name === null ? '**' : `${name}=`}${this.#test(value)}`);
    return [...positional.map((one) => this.#test(one)), ...named].join(', ');
  }

  #index(index: Expression): string {
    return index.kind === 'tuple' && index.items.length > 0 ? this.#items(index.items) : this.#test(index);
  }

  #entry(key: Expression | null, value: Expression): string {
    return key === null ? `**${this.render(value, binds.expression)}` : `${this.#test(key)}: ${this.#test(value)}`;
  }

  #comprehension({ form, item, value, loops }: Extract<Expression, { kind: 'comprehension' }>): string {
    const inner = this.#test(item) + (value === null ? '' : `: ${this.#test(value)}`);
    const text = inner + loops.map((loop) => this.#loop(loop)).join('');
    if (form === 'list') return `[${text}]`;
    return form === 'generator' ? `(${text})` : `{${text}}`;
  }

  #loop({ isAsync, target, iterable, conditions }: Loop): string {
    const over = [iterable, ...conditions].map((one) => this.render(one, binds.test + 1)).join(' if ');
    return ` ${isAsync ? 'async ' : ''}for ${this.render(target, binds.tuple)} in ${over}`;
  }

  #parameters({ positionalOnly, positional, rest, keywordOnly, keywordRest }: Parameters): string {
    const parts = positionalOnly.map((one) => this.#parameter(one));
    if (positionalOnly.length > 0) parts.push('/');
    append(
      parts,
      positional.map((one) => this.#parameter(one)),
    );
    if (rest !== null || keywordOnly.length > 0) parts.push(`*${rest ?? ''}`);
    append(
      parts,
      keywordOnly.map((one) => this.#parameter(one)),
    );
    if (keywordRest !== null) parts.push(`**${keywordRest}`);
    return parts.join(', ');
  }

  #parameter({ name, value }: Parameter): string {
    return value === null ? name : `${name}=${this.#test(value)}`;
  }

  #joined({ parts }: Joined): string {
    if (this.#avoidsBackslashes) return `f${plainString(this.#formatted(parts))}`;
    return `f${quoteParts(parts.map((part) => ({ text: this.#formatted([part]), isText: typeof part === 'string' })))}`;
  }

  #formatted(parts: Joined['parts']): string {
    return parts
      .map((part) => {
        if (typeof part === 'string') return part.replaceAll('{', '{{').replaceAll('}', '}}');
        const inner = new Renderer(true).render(part.value, binds.test + 1);
        if (inner.includes('\\')) throw new PythonFault('value', 'a backslash in an f-string’s expression');
        const conversion = part.conversion === '' ? '' : `!${part.conversion}`;
        const spec = part.spec === null ? '' : `:${this.#formatted(part.spec.parts)}`;
        return `{${inner.startsWith('{') ? ' ' : ''}${inner}${conversion}${spec}}`;
      })
      .join('');
  }
}

const brackets = (wanted: boolean, text: string): string => (wanted ? `(${text})` : text);

const quotes = ["'", '"', '"""', "'''"];

/** A string with as few backslashes as can be. */
function plainString(text: string): string {
  const { body, possible } = literal(text, quotes, false);
  const quote = possible[0] ?? "'";
  return `${quote}${body}${quote}`;
}

/** A string's text between quotes, and the quotes that go with it; the best is the first. */
function literal(
  text: string,
  allowed: readonly string[],
  escapesSpace: boolean,
): { body: string; possible: string[] } {
  // Characters that `isprintable` denies.
  const escaped = text.replace(/[\\\p{C}\p{Z}]/gu, (one) => {
    if (!escapesSpace && (one === '\n' || one === '\t')) return one;
    if (one === '\\') return '\\\\';
    return { '\n': '\\n', '\t': '\\t', '\r': '\\r' }[one] ?? unprintable(one);
  });
  const possible = allowed.filter((one) => !escaped.includes(one) && (one.length === 3 || !escaped.includes('\n')));
  if (possible.length === 0) {
    const written = stringRepr(text);
    const own = written.charAt(0);
    return { body: written.slice(1, -1), possible: [allowed.find((one) => one.includes(own)) ?? own] };
  }
  const last = escaped.slice(-1);
  possible.sort((a, b) => Number(a.charAt(0) === last) - Number(b.charAt(0) === last));
  const needsLast = last !== '' && possible[0]?.charAt(0) === last;
  return { body: needsLast ? `${escaped.slice(0, -1)}\\${last}` : escaped, possible };
}

function quoteParts(parts: readonly { text: string; isText: boolean }[]): string {
  let possible = quotes;
  const written: string[] = [];
  for (const { text, isText } of parts) {
    const found = literal(text, possible, isText);
    written.push(found.body);
    if (!found.possible.some((one) => possible.includes(one))) {
      return `'''${parts.map((part) => stringRepr(`"${part.text}`).slice(2, -1)).join('')}'''`;
    }
    possible = found.possible;
  }
  const quote = possible[0] ?? "'";
  return `${quote}${written.join('')}${quote}`;
}
