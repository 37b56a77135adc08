/** Calls in Python's syntax, read as the official program reads them. */
import { evaluate, nowhere, unary } from '../python/evaluate.ts';
import { parseExpression } from '../python/expressions.ts';
import { PythonFault } from '../python/fault.ts';
import { plainCalls } from '../python/plainCalls.ts';
import { ellipsis, type Call as CallSyntax, type Expression } from '../python/syntax.ts';
import { unparse } from '../python/text/unparse.ts';
import { Dict, Tuple, type Value } from '../python/value.ts';
import type { Call } from '../call.ts';

/** @param text in brackets @throws PythonFault when it cannot be decoded */
export function decodePython(text: string): Call[] {
  return plainCalls(text) ?? decodeExpression(text);
}

/** The same by the whole grammar. @throws PythonFault when it cannot be decoded */
export function decodeExpression(text: string): Call[] {
  const expression = parseExpression(text);
  if (expression.kind === 'call') return [callOf(expression)];
  if (expression.kind !== 'list' && expression.kind !== 'tuple' && expression.kind !== 'set') throw noCall();
  return expression.items.map((item) => {
    if (item.kind !== 'call') throw noCall();
    return callOf(item);
  });
}

const noCall = (): PythonFault => new PythonFault('value', 'no list of calls');

function callOf({ callee, keywords }: CallSyntax): Call {
  const parameters = new Dict();
  for (const { name, value } of keywords) parameters.set(name, valueOf(value));
  return { name: nameOf(callee), parameters };
}

/** Names joined by dots; what they hang on is lost unless it is a name. */
function nameOf(callee: Expression): string {
  const parts: string[] = [];
  let part = callee;
  for (; part.kind === 'attribute'; part = part.value) parts.unshift(part.name);
  if (part.kind === 'name') parts.unshift(part.name);
  return parts.join('.');
}

function valueOf(expression: Expression): Value {
  switch (expression.kind) {
    case 'constant':
      return expression.value === ellipsis ? '...' : expression.value;
    case 'unary':
      return negated(expression.operand);
    case 'list':
      return expression.items.map(valueOf);
    case 'tuple':
      return new Tuple(expression.items.map(valueOf));
    case 'dict':
      return Dict.of(expression.entries.map(({ key, value }) => [keyOf(key), valueOf(value)]));
    case 'binary':
      // It is rendered and read again there, which an f-string or a very long chain does not survive.
      unparse(expression);
      return evaluate(expression, nowhere);
    case 'name':
      return expression.name;
    case 'call': {
      if (expression.keywords.length === 0) return unparse(expression);
      const { name, parameters } = callOf(expression);
      return Dict.of([[name, parameters]]);
    }
    case 'subscript':
      return `${unparse(expression.value)}[${unparse(expression.index)}]`;
    default:
      throw new PythonFault('value', `a ${expression.kind} is no value`);
  }
}

function keyOf(key: Expression | null): Value {
  if (key === null) throw new PythonFault('value', 'a dict cannot be unpacked here');
  return valueOf(key);
}

/** Whatever the sign is: minus the literal. */
function negated(operand: Expression): Value {
  if (operand.kind !== 'constant' || operand.value === ellipsis) throw new PythonFault('value', 'no literal to negate');
  return unary('-', operand.value);
}
