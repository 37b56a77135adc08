import { atLoop, loops } from './comprehension.ts';
import { untilClosed, type Grammar } from './grammar.ts';
import type { Expression, Keyword } from './syntax.ts';

interface Arguments {
  positional: Expression[];
  keywords: Keyword[];
}

/** Arguments of a call whose opening bracket is consumed; consumes the closing one too. @throws PythonFault */
export function callArguments(grammar: Grammar): Arguments {
  const { cursor } = grammar;
  const found: Arguments = { positional: [], keywords: [] };
  let isFirst = true;
  untilClosed(cursor, ')', () => {
    argument(grammar, found, isFirst);
    isFirst = false;
  });
  cursor.expect(')');
  return found;
}

function argument(grammar: Grammar, { positional, keywords }: Arguments, isFirst: boolean): void {
  const { cursor } = grammar;
  if (cursor.take('**')) {
    keywords.push({ name: null, value: grammar.expression() });
  } else if (cursor.peek().kind === 'name' && cursor.at('=', 1)) {
    const name = cursor.name();
    cursor.expect('=');
    keywords.push({ name, value: grammar.expression() });
  } else if (cursor.take('*')) {
    if (keywords.some(({ name }) => name === null)) throw cursor.fault();
    positional.push({ kind: 'starred', value: grammar.expression() });
  } else {
    if (keywords.length > 0) throw cursor.fault();
    const item = grammar.named();
    if (!atLoop(cursor)) positional.push(item);
    else if (!isFirst) throw cursor.fault();
    else {
      positional.push({ kind: 'comprehension', form: 'generator', item, value: null, loops: loops(grammar) });
      if (!cursor.at(')')) throw cursor.fault();
    }
  }
}
