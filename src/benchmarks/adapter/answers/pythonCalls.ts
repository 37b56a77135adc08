/** Calls as Python text: `search(query="x", limit=3)`, or a list of them. */
import * as l10n from '@vscode/l10n';
import { LongInteger, wholeNumber } from '../../../shared/longInteger.ts';
import { parseExpressions } from '../../bfcl/python/expressions.ts';
import { PythonFault } from '../../bfcl/python/fault.ts';
import type { Expression } from '../../bfcl/python/syntax.ts';
import { fencedBlocks } from './fencedBlocks.ts';
import type { ToolCall } from './calls.ts';
import type { ParsedAnswer } from './parsedAnswer.ts';

/**
 * The last fenced block of Python, or else the whole text: calls, or lists of them, one a line or with `;` between.
 * Arguments have names, and values are literals; nothing is calculated.
 */
export function pythonCalls(text: string): ParsedAnswer {
  const code = (fencedBlocks(text, ['', 'python', 'py', 'tool_code']).at(-1) ?? text).trim();
  try {
    return { ok: true, value: callsIn(code) };
  } catch (error) {
    if (!(error instanceof PythonFault || error instanceof RangeError)) throw error;
    return { ok: false, note: l10n.t('the answer is no Python call: {0}', error.message) };
  }
}

function callsIn(code: string): ToolCall[] {
  const statements = parseExpressions(code);
  if (statements.length === 0) throw new PythonFault('syntax', 'invalid syntax');
  return statements.flatMap(callsOf);
}

function callsOf(expression: Expression): ToolCall[] {
  if (expression.kind === 'list' || expression.kind === 'tuple') return expression.items.map(callOf);
  return [callOf(expression)];
}

function callOf(expression: Expression): ToolCall {
  if (expression.kind !== 'call') throw new PythonFault('value', l10n.t('a {0} is no call', expression.kind));
  const { callee, positional, keywords } = expression;
  if (positional.length > 0) throw new PythonFault('value', l10n.t('arguments must have names'));
  const given = keywords.map(({ name, value }) => {
    if (name === null) throw new PythonFault('value', l10n.t('** is not known here'));
    return [name, literal(value)] as const;
  });
  return { name: nameOf(callee), arguments: Object.fromEntries(given) };
}

function nameOf(callee: Expression): string {
  if (callee.kind === 'name') return callee.name;
  if (callee.kind === 'attribute') return `${nameOf(callee.value)}.${callee.name}`;
  throw new PythonFault('value', l10n.t('a {0} is no name', callee.kind));
}

/** As its JSON would be read: a tuple is a list, an int a number. */
function literal(expression: Expression): unknown {
  switch (expression.kind) {
    case 'constant':
      return constant(expression.value);
    case 'unary': {
      const value = literal(expression.operand);
      if (value instanceof LongInteger && expression.operator === '-') return wholeNumber(-value.exact);
      if (value instanceof LongInteger && expression.operator === '+') return value;
      if (typeof value !== 'number' || !['+', '-'].includes(expression.operator)) throw noLiteral(expression);
      return expression.operator === '-' ? -value : value;
    }
    case 'list':
    case 'tuple':
      return expression.items.map(literal);
    case 'dict':
      return Object.fromEntries(
        expression.entries.map(({ key, value }) => {
          const name = key === null ? null : literal(key);
          if (typeof name !== 'string') throw new PythonFault('value', l10n.t('a key is no text'));
          return [name, literal(value)] as const;
        }),
      );
    default:
      throw noLiteral(expression);
  }
}

function constant(value: Extract<Expression, { kind: 'constant' }>['value']): unknown {
  if (typeof value === 'bigint') return wholeNumber(value);
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  throw new PythonFault('value', l10n.t('a value is no text, number, True, False or None'));
}

const noLiteral = ({ kind }: Expression): PythonFault => new PythonFault('value', l10n.t('a {0} is no literal', kind));
