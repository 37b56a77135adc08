/** Python's expressions as a tree, in the words of its `ast` module. */
import type { Value } from './value.ts';

/** The value of `...`. */
export const ellipsis: unique symbol = Symbol('Ellipsis');

export type UnaryOperator = '+' | '-' | '~' | 'not';
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '@' | '**' | '<<' | '>>' | '|' | '^' | '&';
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is not' | 'in' | 'not in';

/** `name` is null for `**value`. */
export interface Keyword {
  name: string | null;
  value: Expression;
}

/** One `for … in … if …` of a comprehension. */
export interface Loop {
  isAsync: boolean;
  target: Expression;
  iterable: Expression;
  conditions: Expression[];
}

export interface Parameter {
  name: string;
  /** Null without a default. */
  value: Expression | null;
}

/** The parameters between `lambda` and its colon. */
export interface Parameters {
  positionalOnly: Parameter[];
  positional: Parameter[];
  /** After `*`: its name, or null for a bare one or none. */
  rest: string | null;
  keywordOnly: Parameter[];
  keywordRest: string | null;
}

export interface Call {
  kind: 'call';
  callee: Expression;
  positional: Expression[];
  keywords: Keyword[];
}

/** `{value!conversion:spec}` of an f-string. */
export interface Formatted {
  kind: 'formatted';
  value: Expression;
  /** '' without one. */
  conversion: string;
  spec: Joined | null;
}

/** An f-string: texts and formatted values. */
export interface Joined {
  kind: 'joined';
  parts: (string | Formatted)[];
}

export type Expression =
  | { kind: 'constant'; value: Value | typeof ellipsis; isUnicode: boolean }
  | { kind: 'name'; name: string }
  | { kind: 'attribute'; value: Expression; name: string }
  | Call
  | { kind: 'subscript'; value: Expression; index: Expression }
  | { kind: 'slice'; lower: Expression | null; upper: Expression | null; step: Expression | null }
  | { kind: 'starred'; value: Expression }
  | { kind: 'list' | 'tuple' | 'set'; items: Expression[] }
  /** A null key is `**value`. */
  | { kind: 'dict'; entries: { key: Expression | null; value: Expression }[] }
  | { kind: 'unary'; operator: UnaryOperator; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'boolean'; operator: 'and' | 'or'; operands: Expression[] }
  | { kind: 'compare'; first: Expression; rest: { operator: Comparison; operand: Expression }[] }
  | { kind: 'conditional'; test: Expression; body: Expression; otherwise: Expression }
  | { kind: 'lambda'; parameters: Parameters; body: Expression }
  /** `value` is that of a dict's comprehension. */
  | {
      kind: 'comprehension';
      form: 'list' | 'set' | 'dict' | 'generator';
      item: Expression;
      value: Expression | null;
      loops: Loop[];
    }
  | { kind: 'named'; name: string; value: Expression }
  | { kind: 'await'; value: Expression }
  | { kind: 'yield'; isFrom: boolean; value: Expression | null }
  | Formatted
  | Joined;
