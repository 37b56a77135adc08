/** The first call of a text in Java's syntax, read as the official program reads it. */
import type { Call } from '../call.ts';
import { DecodeFault } from './decodeFault.ts';
import { Dict } from '../python/value.ts';
import type { SyntaxNode, Tree, TreeSitter } from './treeSitter.ts';

/** Null when the text has no call. @throws DecodeFault */
export function decodeJava(text: string, parser: TreeSitter): Call[] | null {
  const tree = parser.parse('java', text);
  if (tree === null) throw new DecodeFault('not Java');
  const call = firstCall(tree.root);
  return call === null ? null : [callOf(tree, call)];
}

function firstCall(node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'method_invocation') return node;
  for (const child of node.children) {
    const call = firstCall(child);
    if (call !== null) return call;
  }
  return null;
}

const part = (children: readonly SyntaxNode[], field: string): SyntaxNode | undefined =>
  children.find((child) => child.field === field);

/** Bytes are counted and characters taken: behind a character of several bytes everything is shifted. */
const textOf = ({ text }: Tree, { start, end }: SyntaxNode): string => text.characters(start, end);

function callOf(tree: Tree, call: SyntaxNode): Call {
  const { children } = call;
  const [object, name, given] = ['object', 'name', 'arguments'].map((field) => part(children, field));
  if (name === undefined) throw new DecodeFault('a call without a name');
  const owner = object === undefined ? '' : `${textOf(tree, object)}.`;
  return { name: owner + textOf(tree, name), parameters: parametersOf(tree, given?.children ?? []) };
}

function parametersOf(tree: Tree, given: readonly SyntaxNode[]): Dict {
  const parameters = new Dict();
  for (const child of given) {
    if (child.type === 'assignment_expression') {
      const [name, , value] = child.children;
      if (name !== undefined && value !== undefined) add(parameters, textOf(tree, name), valueOf(tree, value));
    } else if (child.type === 'identifier' || child.type === 'class_literal') {
      add(parameters, null, valueOf(tree, child));
    }
  }
  return parameters;
}

/** @throws DecodeFault when the name was there */
function add(parameters: Dict, name: string | null, value: string): void {
  if (parameters.has(name)) throw new DecodeFault('a name stands twice');
  parameters.set(name, value);
}

function valueOf(tree: Tree, node: SyntaxNode): string {
  const isQuoted = node.type === 'string_literal' || node.type === 'character_literal';
  return isQuoted ? textOf(tree, node).slice(1, -1) : source(tree, node);
}

/** Kept as they stand; everything else is put together from its parts, without what was between them. */
const kept = new Set([
  'string_literal',
  'character_literal',
  'identifier',
  'class_literal',
  'type_identifier',
  'method_invocation',
]);

function source(tree: Tree, node: SyntaxNode): string {
  const { type: kind, children } = node;
  if (kept.has(kind)) return textOf(tree, node);
  if (kind === 'array_creation_expression') {
    const [type, value] = [part(children, 'type'), part(children, 'value')];
    if (type === undefined || value === undefined) throw new DecodeFault('an array without its elements');
    return `new ${source(tree, type)}[]${source(tree, value)}`;
  }
  if (kind === 'object_creation_expression') return creation(tree, children);
  return children.length === 0 ? textOf(tree, node) : children.map((child) => source(tree, child)).join('');
}

function creation(tree: Tree, children: readonly SyntaxNode[]): string {
  const type = part(children, 'type');
  if (type === undefined) throw new DecodeFault('an object without its type');
  const given = (part(children, 'arguments')?.children ?? []).filter((child) => ![',', '(', ')'].includes(child.type));
  return `new ${source(tree, type)}(${given.map((child) => source(tree, child)).join(', ')})`;
}
