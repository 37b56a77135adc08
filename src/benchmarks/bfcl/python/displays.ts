/** Bracketed expressions: lists, sets, dicts, tuples, their comprehensions, and parenthesised expressions. */
import { atLoop, loops } from './comprehension.ts';
import { untilClosed, type Grammar } from './grammar.ts';
import type { Expression } from './syntax.ts';

type Entry = Extract<Expression, { kind: 'dict' }>['entries'][number];

/** After `[`. @throws PythonFault */
export function listDisplay(grammar: Grammar): Expression {
  return series(grammar, ']', 'list');
}

/** After `{`. @throws PythonFault */
export function braces(grammar: Grammar): Expression {
  const { cursor } = grammar;
  if (cursor.take('}')) return { kind: 'dict', entries: [] };
  if (cursor.at('**')) return dict(grammar, []);
  if (cursor.at('*')) return series(grammar, '}', 'set');
  const isNamed = cursor.at(':=', 1);
  const item = grammar.named();
  if (isNamed || !cursor.at(':')) return series(grammar, '}', 'set', item);
  cursor.expect(':');
  const value = grammar.expression();
  if (!atLoop(cursor)) return dict(grammar, [{ key: item, value }]);
  const comprehension: Expression = { kind: 'comprehension', form: 'dict', item, value, loops: loops(grammar) };
  cursor.expect('}');
  return comprehension;
}

/** After `(`: a tuple, a generator, or one expression. @throws PythonFault */
export function parentheses(grammar: Grammar): Expression {
  const { cursor } = grammar;
  if (cursor.take(')')) return { kind: 'tuple', items: [] };
  if (cursor.at('yield')) return yielded(grammar);
  const first = grammar.starNamed();
  if (atLoop(cursor)) return comprehension(grammar, ')', 'generator', first);
  if (first.kind !== 'starred' && cursor.take(')')) return first;
  cursor.expect(',');
  const { items } = untilClosed(cursor, ')', () => grammar.starNamed());
  cursor.expect(')');
  return { kind: 'tuple', items: [first, ...items] };
}

function series(grammar: Grammar, closer: string, kind: 'list' | 'set', begun?: Expression): Expression {
  const { cursor } = grammar;
  if (begun === undefined && cursor.take(closer)) return { kind, items: [] };
  const first = begun ?? grammar.starNamed();
  if (atLoop(cursor)) return comprehension(grammar, closer, kind, first);
  const rest = cursor.take(',') ? untilClosed(cursor, closer, () => grammar.starNamed()).items : [];
  cursor.expect(closer);
  return { kind, items: [first, ...rest] };
}

function comprehension(
  grammar: Grammar,
  closer: string,
  form: 'list' | 'set' | 'generator',
  item: Expression,
): Expression {
  if (item.kind === 'starred') throw grammar.cursor.fault();
  const found: Expression = { kind: 'comprehension', form, item, value: null, loops: loops(grammar) };
  grammar.cursor.expect(closer);
  return found;
}

function dict(grammar: Grammar, begun: Entry[]): Expression {
  const { cursor } = grammar;
  const rest = begun.length === 0 || cursor.take(',') ? untilClosed(cursor, '}', () => entry(grammar)).items : [];
  cursor.expect('}');
  return { kind: 'dict', entries: [...begun, ...rest] };
}

function entry(grammar: Grammar): Entry {
  const { cursor } = grammar;
  if (cursor.take('**')) return { key: null, value: grammar.bitwiseOr() };
  const key = grammar.expression();
  cursor.expect(':');
  return { key, value: grammar.expression() };
}

function yielded(grammar: Grammar): Expression {
  const { cursor } = grammar;
  cursor.expect('yield');
  if (cursor.take('from')) {
    const value = grammar.expression();
    cursor.expect(')');
    return { kind: 'yield', isFrom: true, value };
  }
  if (cursor.take(')')) return { kind: 'yield', isFrom: false, value: null };
  const { items, endsWithComma } = untilClosed(cursor, ')', () => starred(grammar));
  cursor.expect(')');
  const [first] = items;
  const value: Expression =
    items.length === 1 && !endsWithComma && first !== undefined ? first : { kind: 'tuple', items };
  return { kind: 'yield', isFrom: false, value };
}

function starred(grammar: Grammar): Expression {
  return grammar.cursor.take('*') ? { kind: 'starred', value: grammar.bitwiseOr() } : grammar.expression();
}
