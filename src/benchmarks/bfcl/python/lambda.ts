import type { Grammar } from './grammar.ts';
import type { Expression, Parameter, Parameters } from './syntax.ts';

/** The rest of a lambda after the word `lambda`. @throws PythonFault */
export function lambda(grammar: Grammar): Expression {
  const found = parameters(grammar);
  grammar.cursor.expect(':');
  return { kind: 'lambda', parameters: found, body: grammar.expression() };
}

function parameters(grammar: Grammar): Parameters {
  const { cursor } = grammar;
  const found: Parameters = { positionalOnly: [], positional: [], rest: null, keywordOnly: [], keywordRest: null };
  let hasStar = false;
  while (!cursor.at(':')) {
    if (cursor.take('**')) {
      found.keywordRest = cursor.name();
      cursor.take(',');
      break;
    } else if (cursor.take('*')) {
      if (hasStar) throw cursor.fault();
      hasStar = true;
      if (cursor.peek().kind === 'name') found.rest = cursor.name();
      else if (!cursor.at(',') || cursor.peek(1).kind !== 'name') throw cursor.fault();
    } else if (cursor.take('/')) {
      if (hasStar || found.positionalOnly.length > 0 || found.positional.length === 0) throw cursor.fault();
      found.positionalOnly = found.positional.splice(0);
    } else {
      const one = parameter(grammar);
      const before = found.positional.at(-1) ?? found.positionalOnly.at(-1);
      if (!hasStar && one.value === null && before !== undefined && before.value !== null) throw cursor.fault();
      (hasStar ? found.keywordOnly : found.positional).push(one);
    }
    if (!cursor.take(',')) break;
  }
  return found;
}

function parameter(grammar: Grammar): Parameter {
  const name = grammar.cursor.name();
  return { name, value: grammar.cursor.take('=') ? grammar.expression() : null };
}
