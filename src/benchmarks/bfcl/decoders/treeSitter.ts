/** Tree-sitter with its Java and JavaScript grammars (grammars/treeSitter.c), as one WebAssembly module. */
import { EncodedText } from './encodedText.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

type Grammar = 'java' | 'javascript';

/** A node of a syntax tree. */
export interface SyntaxNode {
  /** As the grammar names it; for marks and words, they themselves. */
  readonly type: string;
  /** Its role in its parent; '' when none in particular. */
  readonly field: string;
  /** In bytes of UTF-8. */
  readonly start: number;
  readonly end: number;
  readonly children: SyntaxNode[];
}

export interface Tree {
  root: SyntaxNode;
  text: EncodedText;
}

export interface TreeSitter {
  /** Null when some node is an error. What is merely missing is none: a node without text stands for it. */
  parse(grammar: Grammar, text: string): Tree | null;
}

const functions = ['allocate', 'release', 'symbols', 'symbolName', 'fields', 'fieldName', 'parse'] as const;
type Exports = { memory: WebAssembly.Memory } & Record<(typeof functions)[number], (...values: number[]) => number>;

/** By hand, not by a schema: a command that scores a file would load zod for this alone. */
const areExports = (exports: object): exports is Exports =>
  'memory' in exports &&
  exports.memory instanceof WebAssembly.Memory &&
  functions.every((name) => name in exports && typeof Reflect.get(exports, name) === 'function');

/** Words of a node in the module's answer: symbol, field, first and last byte, children, nodes with all below it. */
const wordsOfNode = 6;

/** Of UTF-8, that a unit of UTF-16 can take. */
const mostBytes = 3;

/** @param wasm the module's bytes @throws WebAssembly.CompileError */
export function treeSitter(wasm: Uint8Array<ArrayBuffer>): TreeSitter {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), {});
  const module = instance.exports;
  if (!areExports(module)) throw new TypeError('treeSitter.wasm does not have what it was built with.');
  const numbers: Record<Grammar, number> = { java: 0, javascript: 1 };
  const names = { java: namesOf(module, numbers.java), javascript: namesOf(module, numbers.javascript) };
  const encoder = new TextEncoder();
  /** Where texts are written to, one over the other. */
  let [address, room] = [0, 0];
  return {
    parse(grammar, source) {
      if (source.length * mostBytes > room) {
        module.release(address);
        room = 2 * source.length * mostBytes;
        address = module.allocate(room);
      }
      const { written } = encoder.encodeInto(source, new Uint8Array(module.memory.buffer, address, room));
      const words = parse(module, numbers[grammar], address, written);
      const text = new EncodedText(source, written);
      return words === null ? null : { root: new LazyNode(words, names[grammar], 0), text };
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

function parse(module: Exports, grammar: number, address: number, bytes: number): Uint32Array | null {
  const answer = module.parse(grammar, address, bytes);
  if (answer === 0) return null;
  const nodes = new Uint32Array(module.memory.buffer, answer, wordsOfNode)[5] ?? outOfRange();
  // A copy: the next text is written over it.
  return new Uint32Array(module.memory.buffer, answer, nodes * wordsOfNode).slice();
}

/** Nodes come when they are asked for: most of a tree never is, and it may be deeper than a stack. */
class LazyNode implements SyntaxNode {
  readonly #words: Uint32Array;
  readonly #names: Names;
  readonly #at: number;

  constructor(words: Uint32Array, names: Names, at: number) {
    this.#words = words;
    this.#names = names;
    this.#at = at;
  }

  get type(): string {
    return this.#names.types[this.#word(0)] ?? '';
  }

  get field(): string {
    return this.#names.fields[this.#word(1)] ?? '';
  }

  get start(): number {
    return this.#word(2);
  }

  get end(): number {
    return this.#word(3);
  }

  get children(): SyntaxNode[] {
    const children: SyntaxNode[] = [];
    let child = this.#at + wordsOfNode;
    for (let count = this.#word(4); count > 0; count--) {
      children.push(new LazyNode(this.#words, this.#names, child));
      child += (this.#words[child + 5] ?? outOfRange()) * wordsOfNode;
    }
    return children;
  }

  #word(which: number): number {
    return this.#words[this.#at + which] ?? outOfRange();
  }
}
