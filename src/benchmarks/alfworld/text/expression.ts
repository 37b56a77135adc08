import { GameError } from '../gameError.ts';

/** An entity, as far as texts may describe it. */
export interface Entity {
  id: string;
  type: string;
  name: string;
  definite: string;
  indefinite: string;
}

/** An entity's attribute, a text, a sum of texts, or the first that is not empty. */
export type Expression =
  | { kind: 'attribute'; variable: string; attribute: keyof Entity }
  | { kind: 'text'; text: string }
  | { kind: 'sum' | 'or'; parts: readonly Expression[] }
  /** Some other Python. It is a fault only when it is to be said. */
  | { kind: 'unreadable'; source: string };

const attributes: ReadonlyMap<string, keyof Entity> = new Map([
  ['id', 'id'],
  ['type', 'type'],
  ['name', 'name'],
  ['definite', 'definite'],
  ['indefinite', 'indefinite'],
]);

/** In characters: brackets in brackets are read by calls in calls. */
const longest = 500;

/** The part of Python's expressions that text grammars use: `o.name`, `o`, `'text'`, `+`, `or`, brackets. */
export function readExpression(source: string): Expression {
  const expression = source.length > longest ? null : read(source);
  return expression ?? { kind: 'unreadable', source };
}

function read(source: string): Expression | null {
  const tokens = source.match(/'[^']*'|"[^"]*"|[\w']+(?:\.\w+)?|\S/g) ?? [];
  let at = 0;
  const single = (): Expression | null => {
    const token = tokens[at++];
    if (token === undefined) return null;
    if (token === '(') {
      const inner = either();
      return tokens[at++] === ')' ? inner : null;
    }
    if (/^(?:'[^'\\]*'|"[^"\\]*")$/.test(token)) return { kind: 'text', text: token.slice(1, -1) };
    const [, variable, attribute = 'name'] = /^([A-Za-z_]\w*)(?:\.(\w+))?$/.exec(token) ?? [];
    const known = attributes.get(attribute);
    return variable === undefined || known === undefined ? null : { kind: 'attribute', variable, attribute: known };
  };
  const joined = (kind: 'sum' | 'or', mark: string, part: () => Expression | null): Expression | null => {
    const parts: Expression[] = [];
    do {
      const one = part();
      if (one === null) return null;
      parts.push(one);
    } while (tokens[at] === mark && ++at > 0);
    const [first] = parts;
    return parts.length === 1 && first !== undefined ? first : { kind, parts };
  };
  const either = (): Expression | null => joined('or', 'or', () => joined('sum', '+', single));
  const expression = either();
  return at < tokens.length ? null : expression;
}

/** @throws GameError `text` for a variable that stands for nothing here, and for what is not understood */
export function evaluate(expression: Expression, entity: (variable: string) => Entity | undefined): string {
  switch (expression.kind) {
    case 'text':
      return expression.text;
    case 'unreadable':
      throw new GameError('text', `The text grammar says {${expression.source}}, which is not understood.`);
    case 'sum':
      return expression.parts.map((part) => evaluate(part, entity)).join('');
    case 'or':
      return expression.parts.map((part) => evaluate(part, entity)).find((text) => text !== '') ?? '';
    case 'attribute': {
      const found = entity(expression.variable);
      if (found === undefined) {
        throw new GameError(
          'text',
          `The text grammar speaks of ${expression.variable}, which stands for nothing here.`,
        );
      }
      return found[expression.attribute];
    }
  }
}

/** Names of the variables that it speaks of. */
export function variablesOf(expression: Expression): string[] {
  if (expression.kind === 'attribute') return [expression.variable];
  return expression.kind === 'sum' || expression.kind === 'or' ? expression.parts.flatMap(variablesOf) : [];
}
