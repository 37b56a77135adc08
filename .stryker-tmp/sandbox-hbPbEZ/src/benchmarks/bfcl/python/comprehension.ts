import type { Cursor } from './cursor.ts';
import { untilClosed, type Grammar } from './grammar.ts';
import type { Expression, Loop } from './syntax.ts';

/** Whether a comprehension's `for` stands here. */
export const atLoop = (cursor: Cursor): boolean => cursor.at('for') || cursor.at('async');

/** @throws PythonFault */
export function loops(grammar: Grammar): Loop[] {
  const { cursor } = grammar;
  const found: Loop[] = [];
  while (atLoop(cursor)) {
    const isAsync = cursor.take('async');
    cursor.expect('for');
    const target = targets(grammar);
    cursor.expect('in');
    const iterable = grammar.disjunction();
    const conditions: Expression[] = [];
    while (cursor.take('if')) conditions.push(grammar.disjunction());
    found.push({ isAsync, target, iterable, conditions });
  }
  return found;
}

function targets(grammar: Grammar): Expression {
  const { cursor } = grammar;
  const { items, endsWithComma } = untilClosed(cursor, 'in', () => target(grammar));
  const [first] = items;
  if (first === undefined || !items.every(canBeSet)) throw cursor.fault();
  return items.length === 1 && !endsWithComma ? first : { kind: 'tuple', items };
}

function target(grammar: Grammar): Expression {
  if (!grammar.cursor.take('*')) return grammar.primary();
  return { kind: 'starred', value: grammar.primary() };
}

function canBeSet(expression: Expression): boolean {
  if (expression.kind === 'starred') return expression.value.kind !== 'starred' && canBeSet(expression.value);
  if (expression.kind === 'list' || expression.kind === 'tuple') return expression.items.every(canBeSet);
  return ['name', 'attribute', 'subscript'].includes(expression.kind);
}
