/** `eval` of Python's expressions, as far as texts of models have a use for it: literals, operators, and calls of a given world. */
import { binary } from './arithmetic.ts';
import { PythonFault } from './fault.ts';
import { repr } from './text/repr.ts';
import { ellipsis, type Call, type Comparison, type Expression, type UnaryOperator } from './syntax.ts';
import { Complex, Dict, Ellipsis, equal, isIn, kindOf, Tuple, type Value } from './value.ts';

/** The meaning of names and calls. Either throws a PythonFault, or the error of a called function. */
export interface World {
  name(name: string): Value;
  call(call: Call, evaluate: (expression: Expression) => Value): Value;
}

/** A world without names. */
export const nowhere: World = {
  name: (name) => {
    throw new PythonFault('value', `name '${name}' is not defined`);
  },
  call: () => {
    throw new PythonFault('value', 'no functions here');
  },
};

/** @throws PythonFault */
export function evaluate(expression: Expression, world: World): Value {
  const value = (inner: Expression): Value => evaluate(inner, world);
  switch (expression.kind) {
    case 'constant':
      if (expression.value === ellipsis) return new Ellipsis();
      return expression.value;
    case 'name':
      return world.name(expression.name);
    case 'call':
      return world.call(expression, value);
    case 'list':
      return items(expression.items, value);
    case 'tuple':
      return new Tuple(items(expression.items, value));
    case 'dict':
      return dict(expression.entries, value);
    case 'unary':
      return unary(expression.operator, value(expression.operand));
    case 'binary':
      return binary(expression.operator, value(expression.left), value(expression.right));
    case 'boolean':
      return boolean(expression.operator, expression.operands, value);
    case 'compare':
      return compare(expression, value);
    case 'conditional':
      return value(isTrue(value(expression.test)) ? expression.body : expression.otherwise);
    case 'subscript':
      return item(value(expression.value), value(expression.index));
    default:
      throw new PythonFault('value', `a ${expression.kind} is not evaluated`);
  }
}

/** `bool(value)`. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'string') return value !== '';
  if (typeof value === 'bigint') return value !== 0n;
  if (typeof value === 'number') return value !== 0;
  if (typeof value === 'boolean' || value === null) return value === true;
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Dict) return value.size > 0;
  if (value instanceof Tuple) return value.items.length > 0;
  if (value instanceof Complex) return value.real !== 0 || value.imaginary !== 0;
  return value instanceof Ellipsis || value.latin1 !== '';
}

function items(expressions: readonly Expression[], value: (inner: Expression) => Value): Value[] {
  return expressions.flatMap((one) => {
    if (one.kind !== 'starred') return [value(one)];
    const found = value(one.value);
    if (Array.isArray(found)) return found;
    if (found instanceof Tuple) return [...found.items];
    if (found instanceof Dict) return found.keys();
    if (typeof found === 'string') return Array.from(found);
    throw new PythonFault('type', `'${kindOf(found)}' object is not iterable`);
  });
}

function dict(
  entries: readonly { key: Expression | null; value: Expression }[],
  value: (inner: Expression) => Value,
): Dict {
  const found = new Dict();
  for (const entry of entries) {
    if (entry.key !== null) found.set(value(entry.key), value(entry.value));
    else {
      const more = value(entry.value);
      if (!(more instanceof Dict)) throw new PythonFault('value', `'${kindOf(more)}' object is not a mapping`);
      for (const [key, one] of more) found.set(key, one);
    }
  }
  return found;
}

/** @throws PythonFault */
export function unary(operator: UnaryOperator, operand: Value): Value {
  if (operator === 'not') return !isTrue(operand);
  if (typeof operand === 'boolean' || typeof operand === 'bigint') {
    const int = BigInt(operand);
    return operator === '-' ? -int : operator === '~' ? ~int : int;
  }
  if (operator !== '~') {
    if (typeof operand === 'number') return operator === '-' ? -operand : operand;
    if (operand instanceof Complex) return operator === '-' ? new Complex(-operand.real, -operand.imaginary) : operand;
  }
  throw new PythonFault('type', `bad operand type for unary ${operator}: '${kindOf(operand)}'`);
}

function boolean(operator: 'and' | 'or', operands: readonly Expression[], value: (inner: Expression) => Value): Value {
  let last: Value = null;
  for (const operand of operands) {
    last = value(operand);
    if (isTrue(last) === (operator === 'or')) return last;
  }
  return last;
}

function compare(
  { first, rest }: Extract<Expression, { kind: 'compare' }>,
  value: (inner: Expression) => Value,
): Value {
  let left = value(first);
  for (const { operator, operand } of rest) {
    const right = value(operand);
    if (!holds(operator, left, right)) return false;
    left = right;
  }
  return true;
}

function holds(operator: Comparison, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return equal(left, right);
    case '!=':
      return !equal(left, right);
    case 'is':
      return left === right;
    case 'is not':
      return left !== right;
    case 'in':
      return contains(right, left);
    case 'not in':
      return !contains(right, left);
    default:
      return ordered(operator, order(left, right));
  }
}

function ordered(operator: '<' | '<=' | '>' | '>=', order: number): boolean {
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

function contains(container: Value, value: Value): boolean {
  if (typeof container === 'string' && typeof value === 'string') return container.includes(value);
  if (Array.isArray(container)) return isIn(value, container);
  if (container instanceof Tuple) return isIn(value, container.items);
  if (container instanceof Dict) return container.has(value);
  throw new PythonFault('value', `argument of type '${kindOf(container)}' is not iterable`);
}

/** Below, at or above 0; NaN without an order. @throws PythonFault */
export function order(left: Value, right: Value): number {
  const [a, b] = [left, right].map((one) => (typeof one === 'boolean' ? BigInt(one) : one));
  if ((typeof a === 'bigint' || typeof a === 'number') && (typeof b === 'bigint' || typeof b === 'number')) {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : NaN;
  }
  if (typeof a === 'string' && typeof b === 'string') return textOrder(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return itemsOrder(a, b);
  if (a instanceof Tuple && b instanceof Tuple) return itemsOrder(a.items, b.items);
  throw new PythonFault('type', `'<' not supported between instances of '${kindOf(left)}' and '${kindOf(right)}'`);
}

/** By code points, where JavaScript's own order goes by halves of them. */
export function textOrder(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [at, one] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (one !== other) return (one.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}

function itemsOrder(a: readonly Value[], b: readonly Value[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    if (!equal(one, other)) return order(one, other);
  }
  return a.length - b.length;
}

function item(container: Value, index: Value): Value {
  if (container instanceof Dict) {
    const found = container.get(index);
    if (found === undefined) throw new PythonFault('value', repr(index));
    return found;
  }
  const list = listOf(container);
  if (typeof index !== 'bigint' && typeof index !== 'boolean') {
    throw new PythonFault('value', `${kindOf(container)} indices must be integers or slices, not ${kindOf(index)}`);
  }
  const at = Number(index);
  const found = list[at < 0 ? list.length + at : at];
  if (found === undefined) throw new PythonFault('value', `${kindOf(container)} index out of range`);
  return found;
}

function listOf(container: Value): readonly Value[] {
  if (Array.isArray(container)) return container;
  if (container instanceof Tuple) return container.items;
  if (typeof container === 'string') return Array.from(container);
  throw new PythonFault('value', `'${kindOf(container)}' object is not subscriptable`);
}
