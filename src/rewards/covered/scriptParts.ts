/** The countable parts of a script: its statements, branches and functions, and the source of each count. */
import { parse, type AnyNode, type Function as FunctionNode, type IfStatement, type SwitchCase } from 'acorn';

/** A piece of a script, with offsets in its text; it stands behind every part that it refers to, by index. */
export interface ScriptPart {
  from: number;
  to: number;
  /** Null for parts that only pass their count on. */
  shown: { as: 'statement' } | { as: 'function' } | { as: 'branch'; name: string; of: number } | null;
  count:
    | { by: 'itself' }
    /** As often as another part, where nothing that ended there left in between. */
    | { by: 'part'; part: number; after: number | null }
    /** As often as one part and not the other. */
    | { by: 'difference'; part: number; without: number };
}

/** Of plain JavaScript. @throws SyntaxError */
export function scriptParts(source: string): ScriptPart[] {
  const options = { ecmaVersion: 'latest', allowHashBang: true, allowReturnOutsideFunction: true } as const;
  const parts = new Parts();
  parts.add(parseAs(source, options));
  return parts.all;
}

type ParseOptions = Omit<Parameters<typeof parse>[1], 'sourceType'>;

/** A module where it can be one. */
function parseAs(source: string, options: ParseOptions): AnyNode {
  try {
    return parse(source, { ...options, sourceType: 'module' });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parse(source, { ...options, sourceType: 'script' });
  }
}

/** Where a node stands: the part whose count it has, and the statement that its branches belong to. */
interface Around {
  counted: number;
  statement: number;
}

const itself = { by: 'itself' } as const;

/** Declarations, which execute nothing. */
const silent = new Set([
  'FunctionDeclaration',
  'ImportDeclaration',
  'ExportAllDeclaration',
  'BlockStatement',
  'EmptyStatement',
]);

class Parts {
  readonly all: ScriptPart[] = [];

  add(program: AnyNode): void {
    const whole = this.#put(program, null, itself);
    this.#inside(program, { counted: whole, statement: whole });
  }

  #put({ start, end }: Pick<AnyNode, 'start' | 'end'>, shown: ScriptPart['shown'], count: ScriptPart['count']): number {
    return this.all.push({ from: start, to: end, shown, count }) - 1;
  }

  #branch(node: Pick<AnyNode, 'start' | 'end'>, name: string, of: number): number {
    return this.#put(node, { as: 'branch', name, of }, itself);
  }

  #inside(node: AnyNode, around: Around): void {
    switch (node.type) {
      case 'Program':
      case 'BlockStatement':
      case 'StaticBlock':
        this.#list(node.body, around);
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#function(node, around);
        return;
      case 'IfStatement':
        this.#if(node, around);
        return;
      case 'ConditionalExpression':
        this.#inside(node.test, around);
        this.#way(node.consequent, '?', around);
        this.#way(node.alternate, ':', around);
        return;
      case 'LogicalExpression':
        this.#inside(node.left, around);
        this.#way(node.right, node.operator, around);
        return;
      case 'SwitchStatement':
        this.#inside(node.discriminant, around);
        for (const one of node.cases) this.#case(one, around);
        return;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        for (const child of childrenOf(node)) {
          if (child.start !== node.body.start) this.#inside(child, around);
        }
        this.#body(node.body, { ...around, counted: this.#put(node.body, null, itself) });
        return;
      case 'CatchClause':
        this.#body(node.body, { ...around, counted: this.#put(node.body, null, itself) });
        return;
      default:
        for (const child of childrenOf(node)) this.#inside(child, around);
    }
  }

  /** Each statement runs as often as the one before it, unless that one may leave the block. */
  #list(statements: readonly AnyNode[], around: Around): void {
    let [part, after]: [number, number | null] = [around.counted, null];
    for (const node of statements) {
      part = this.#statement(node, { by: 'part', part, after }, around.statement);
      after = node.end;
    }
  }

  #statement(node: AnyNode, count: ScriptPart['count'], outer: number): number {
    const says =
      silent.has(node.type) ||
      ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportDefaultDeclaration') &&
        node.declaration?.type !== 'VariableDeclaration' &&
        node.declaration?.type.endsWith('Expression') !== true);
    const part = this.#put(node, says ? null : { as: 'statement' }, count);
    this.#inside(node, { counted: part, statement: says ? outer : part });
    return part;
  }

  /** A block, or one statement in its place. */
  #body(node: AnyNode, around: Around): void {
    if (node.type === 'BlockStatement') this.#list(node.body, around);
    else this.#statement(node, { by: 'part', part: around.counted, after: null }, around.statement);
  }

  #way(node: AnyNode, name: string, around: Around): void {
    this.#inside(node, { ...around, counted: this.#branch(node, name, around.statement) });
  }

  #function(node: FunctionNode | Extract<AnyNode, { type: 'ArrowFunctionExpression' }>, around: Around): void {
    const inner = { counted: this.#put(node, { as: 'function' }, itself), statement: around.statement };
    for (const parameter of node.params) this.#inside(parameter, inner);
    this.#body(node.body, inner);
  }

  #if(node: IfStatement, around: Around): void {
    this.#inside(node.test, around);
    const taken = this.#branch(node.consequent, 'if', around.statement);
    this.#body(node.consequent, { ...around, counted: taken });
    if (node.alternate) {
      this.#body(node.alternate, { ...around, counted: this.#branch(node.alternate, 'else', around.statement) });
      return;
    }
    const word = { start: node.start, end: node.start + 'if'.length };
    const count = { by: 'difference', part: around.counted, without: taken } as const;
    this.#put(word, { as: 'branch', name: 'else', of: around.statement }, count);
  }

  #case(node: SwitchCase, around: Around): void {
    const part = this.#branch(node, node.test ? 'case' : 'default', around.statement);
    this.#list(node.consequent, { ...around, counted: part });
  }
}

function childrenOf(node: AnyNode): AnyNode[] {
  const values: unknown[] = Object.values(node);
  return values.flat().filter(isNode);
}

const isNode = (value: unknown): value is AnyNode => typeof value === 'object' && value !== null && 'type' in value;
