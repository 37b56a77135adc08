/** The first call of a text in JavaScript's syntax, read as the official program reads it. */
import type { Call } from '../call.ts';
import { DecodeFault } from './decodeFault.ts';
import { Dict } from '../python/value.ts';
import type { SyntaxNode, Tree, TreeSitter } from './treeSitter.ts';

/** No call where the text has none: not an empty list, for that would be an answer. @throws DecodeFault */
export function decodeJavaScript(text: string, parser: TreeSitter): Call[] | null {
  const tree = parser.parse('javascript', text);
  if (tree === null) throw new DecodeFault('not JavaScript');
  const call = tree.root.children
    .filter(({ type }) => type === 'expression_statement')
    .flatMap(({ children }) => children)
    .find(({ type }) => type === 'call_expression');
  const [callee, given] = call?.children ?? [];
  if (callee === undefined || given === undefined) return null;
  return [{ name: textOf(tree, callee), parameters: parametersOf(tree, given) }];
}

const textOf = ({ text }: Tree, { start, end }: SyntaxNode): string => text.decoded(start, end);

function parametersOf(tree: Tree, { children }: SyntaxNode): Dict {
  const parameters = new Dict();
  for (const child of children) {
    if (child.type === 'assignment_expression') {
      const [name, , value] = child.children;
      if (name !== undefined && value !== undefined) add(parameters, textOf(tree, name), unquoted(textOf(tree, value)));
    } else if (child.type === 'identifier' || child.type === 'true') {
      add(parameters, null, textOf(tree, child));
    }
  }
  return parameters;
}

/** @throws DecodeFault when the name was there */
function add(parameters: Dict, name: string | null, value: string): void {
  if (parameters.has(name)) throw new DecodeFault('a name stands twice');
  parameters.set(name, value);
}

function unquoted(value: string): string {
  const isQuoted = ['"', "'"].some((quote) => value.startsWith(quote) && value.endsWith(quote));
  return isQuoted ? value.slice(1, -1) : value;
}
