/** Tree-sitter with its Java and JavaScript grammars (grammars/treeSitter.c), as one WebAssembly module. */
import * as z from 'zod';
import { EncodedText } from './encodedText.ts';

export type Grammar = 'java' | 'javascript';

/** A node of a syntax tree. */
export interface SyntaxNode {
  /** As the grammar names it; for marks and words, they themselves. */
  type: string;
  /** What it is to its parent; '' when nothing in particular. */
  field: string;
  /** In bytes of UTF-8. */
  start: number;
  end: number;
  children: SyntaxNode[];
}

export interface Tree {
  root: SyntaxNode;
  text: EncodedText;
}

export interface TreeSitter {
  /** Null when some node is an error. What is merely missing is none: a node without text stands for it. */
  parse(grammar: Grammar, text: string): Tree | null;
}

const exportsSchema = z.object({
  memory: z.instanceof(WebAssembly.Memory),
  allocate: z.custom<(bytes: number) => number>((value) => typeof value === 'function'),
  release: z.custom<(address: number) => void>((value) => typeof value === 'function'),
  symbols: z.custom<(grammar: number) => number>((value) => typeof value === 'function'),
  symbolName: z.custom<(grammar: number, symbol: number) => number>((value) => typeof value === 'function'),
  fields: z.custom<(grammar: number) => number>((value) => typeof value === 'function'),
  fieldName: z.custom<(grammar: number, field: number) => number>((value) => typeof value === 'function'),
  parse: z.custom<(grammar: number, text: number, bytes: number) => number>((value) => typeof value === 'function'),
});
type Exports = z.infer<typeof exportsSchema>;

/** Words of a node in the module's answer: symbol, field, first and last byte, children, nodes with all below it. */
const wordsOfNode = 6;

/** @param wasm the module's bytes @throws WebAssembly.CompileError */
export function treeSitter(wasm: Uint8Array<ArrayBuffer>): TreeSitter {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), {});
  const module = exportsSchema.parse({ ...instance.exports });
  const numbers: Record<Grammar, number> = { java: 0, javascript: 1 };
  const names = { java: namesOf(module, numbers.java), javascript: namesOf(module, numbers.javascript) };
  return {
    parse(grammar, source) {
      const text = new EncodedText(source);
      const words = parse(module, numbers[grammar], text.bytes);
      return words === null ? null : { root: treeOf(words, names[grammar]), text };
    },
  };
}

interface Names {
  types: string[];
  fields: string[];
}

function namesOf(module: Exports, grammar: number): Names {
  const types = Array.from({ length: module.symbols(grammar) }, (_, at) =>
    textAt(module, module.symbolName(grammar, at)),
  );
  // Field 0 is none; the last has the count's number.
  const fields = Array.from({ length: module.fields(grammar) + 1 }, (_, at) =>
    at === 0 ? '' : textAt(module, module.fieldName(grammar, at)),
  );
  return { types, fields };
}

function textAt({ memory }: Exports, address: number): string {
  if (address === 0) return '';
  const bytes = new Uint8Array(memory.buffer, address);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

function parse(module: Exports, grammar: number, bytes: Uint8Array): Uint32Array | null {
  const address = module.allocate(bytes.length + 1);
  new Uint8Array(module.memory.buffer).set(bytes, address);
  const answer = module.parse(grammar, address, bytes.length);
  module.release(address);
  if (answer === 0) return null;
  const nodes = new Uint32Array(module.memory.buffer, answer, wordsOfNode)[5] ?? 0;
  return new Uint32Array(module.memory.buffer, answer, nodes * wordsOfNode);
}

function treeOf(words: Uint32Array, { types, fields }: Names): SyntaxNode {
  const word = (at: number): number => words[at] ?? 0;
  const nodeAt = (at: number): SyntaxNode => {
    const node: SyntaxNode = {
      type: types[word(at)] ?? '',
      field: fields[word(at + 1)] ?? '',
      start: word(at + 2),
      end: word(at + 3),
      children: [],
    };
    let child = at + wordsOfNode;
    for (let count = word(at + 4); count > 0; count--) {
      node.children.push(nodeAt(child));
      child += word(child + 5) * wordsOfNode;
    }
    return node;
  };
  return nodeAt(0);
}
