/** The calculator as its authors wrote it: brackets once, `*` and `/` before `+` and `-`, no signs. */
import { equalPlain } from '../../python/plain.ts';
import { inForm } from './judges.ts';
import { ToolFault, Wrong } from './faults.ts';
import { text, type Tool } from './tool.ts';

const unspaced = (formula: string): string => formula.replaceAll(' ', '');

export const calculatorTools = {
  Calculator: {
    parameters: { formula: text },
    call: (given) => calculate(unspaced(given.text('formula'))),
    judge: inForm({ formula: unspaced }),
  },
} satisfies Record<string, Tool>;

type Token = number | string;

function calculate(formula: string): Token {
  const operators = formula.match(/[-+*/]/g)?.length ?? 0;
  const isBalanced = formula.split('(').length === formula.split(')').length;
  if (!/^[0-9-+*/()]+$/.test(formula) || !isBalanced || operators === 0 || operators + 1 === formula.length) {
    throw new ToolFault('invalid formula');
  }
  return reduce(
    (formula.match(/[0-9]+|[-+*/()]/g) ?? []).map((token) => (/^[0-9]/.test(token) ? Number(token) : token)),
  );
}

function reduce(tokens: Token[]): Token {
  for (let open = tokens.indexOf('('); open !== -1; open = tokens.indexOf('(')) {
    const close = tokens.indexOf(')');
    if (close === -1) throw new ToolFault("')' is not in list");
    tokens.splice(open, Math.max(0, close + 1 - open), reduce(tokens.slice(open + 1, Math.max(close, open + 1))));
  }
  for (const signs of ['*/', '+-']) {
    for (let at = signAt(tokens, signs); at !== -1; at = signAt(tokens, signs)) {
      // Python takes the last token for the one before the first, and then loops for ever.
      if (at === 0) throw new Wrong('a formula begins with a sign');
      tokens.splice(at - 1, 3, operate(tokens[at - 1], tokens[at], tokens[at + 1]));
    }
  }
  const [result] = tokens;
  if (result === undefined) throw new ToolFault('list index out of range');
  return result;
}

const signAt = (tokens: readonly Token[], signs: string): number =>
  tokens.findIndex((token) => typeof token === 'string' && signs.includes(token));

function operate(left: Token | undefined, sign: Token | undefined, right: Token | undefined): number {
  if (right === undefined) throw new ToolFault('list index out of range');
  if (typeof left !== 'number' || typeof right !== 'number') throw new ToolFault('unsupported operand types');
  if (sign === '+') return left + right;
  if (sign === '-') return left - right;
  if (sign === '*') return left * right;
  if (equalPlain(right, 0)) throw new ToolFault('float division by zero');
  return left / right;
}
