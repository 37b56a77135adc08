import { append } from '../../../shared/append.ts';
import { listAt, nameAt, problem, type Item, type List } from './lists.ts';

/** A name with its type: a parameter (`?x`), an object. */
export interface Typed {
  name: string;
  type: string;
}

/** A predicate over terms: `?x` is a variable, everything else names an object. */
export interface Atom {
  predicate: string;
  terms: readonly string[];
}

interface Literal {
  kind: 'literal';
  atom: Atom;
  negated: boolean;
}

export interface Universal {
  kind: 'forall';
  parameters: readonly Typed[];
  part: Formula;
}

/** A condition in which only atoms are negated. Variables bound by quantifiers have names of their own. */
export type Formula =
  | Literal
  | Universal
  | { kind: 'and' | 'or'; parts: readonly Formula[] }
  | { kind: 'exists'; parameters: readonly Typed[]; part: Formula };

/** Always true. */
export const truth: Formula = { kind: 'and', parts: [] };

/** The names that a formula may use. */
export interface Vocabulary {
  /** Arguments a predicate takes. */
  arity(predicate: string): number | undefined;
}

/** `a b - t c` as typed names; without a type they are of type `object`. @throws GameError `pddl` */
export function readTyped(list: List, from: number): Typed[] {
  const typed: Typed[] = [];
  let waiting: string[] = [];
  for (let i = from; i < list.items.length; i++) {
    const name = nameAt(list, i);
    if (name !== '-') {
      waiting.push(name);
      continue;
    }
    const type = nameAt(list, ++i);
    append(
      typed,
      waiting.map((one) => ({ name: one, type })),
    );
    waiting = [];
  }
  return [...typed, ...waiting.map((name) => ({ name, type: 'object' }))];
}

/** Which variables may be spoken of. Those of quantifiers get names of their own, so that no two of a text are the same. */
export class Scope {
  readonly #names: ReadonlyMap<string, string>;
  readonly #bound: { count: number };

  private constructor(names: ReadonlyMap<string, string>, bound: { count: number }) {
    this.#names = names;
    this.#bound = bound;
  }

  /** Of a condition with these parameters, which keep their names. */
  static of(parameters: readonly Typed[]): Scope {
    return new Scope(new Map(parameters.map(({ name }) => [name, name])), { count: 0 });
  }

  /** Inside a quantifier. */
  enter(parameters: readonly Typed[]): { scope: Scope; parameters: Typed[] } {
    const names = new Map(this.#names);
    const renamed = parameters.map(({ name, type }) => {
      const own = `${name}@${this.#bound.count++}`;
      names.set(name, own);
      return { name: own, type };
    });
    return { scope: new Scope(names, this.#bound), parameters: renamed };
  }

  nameOf(variable: string): string | undefined {
    return this.#names.get(variable);
  }
}

/** One atom. @throws GameError `pddl` for an unknown predicate or variable and a wrong number of terms */
export function readAtom(list: List, vocabulary: Vocabulary, scope: Scope): Atom {
  const predicate = nameAt(list, 0);
  const arity = vocabulary.arity(predicate);
  if (arity === undefined) throw problem(list.line, `nothing declares the predicate ${predicate}`);
  if (arity !== list.items.length - 1) {
    throw problem(list.line, `${predicate} takes ${arity} terms, not ${list.items.length - 1}`);
  }
  const terms = list.items.slice(1).map((_, index) => {
    const term = nameAt(list, index + 1);
    if (!term.startsWith('?')) return term;
    const own = scope.nameOf(term);
    if (own === undefined) throw problem(list.line, `${term} is bound by nothing`);
    return own;
  });
  return { predicate, terms };
}

/** A condition; `()` is always true. @throws GameError `pddl` */
export function readFormula(item: Item | undefined, vocabulary: Vocabulary, scope: Scope, negated = false): Formula {
  if (item === undefined || typeof item === 'string')
    throw problem(1, `a condition should stand where ${item ?? 'nothing'} does`);
  if (item.items.length === 0) return truth;
  const tag = item.items[0];
  const parts = (from: number, flip: boolean): Formula[] =>
    item.items.slice(from).map((part) => readFormula(part, vocabulary, scope, flip));
  const only = (count: number): void => {
    if (item.items.length !== count + 1)
      throw problem(item.line, `${typeof tag === 'string' ? tag : 'this'} takes ${count} parts`);
  };
  switch (tag) {
    case 'and':
    case 'or':
      return { kind: (tag === 'and') === negated ? 'or' : 'and', parts: parts(1, negated) };
    case 'not':
      only(1);
      return readFormula(item.items[1], vocabulary, scope, !negated);
    case 'imply': {
      only(2);
      const premise = readFormula(item.items[1], vocabulary, scope, !negated);
      return { kind: negated ? 'and' : 'or', parts: [premise, ...parts(2, negated)] };
    }
    case 'exists':
    case 'forall': {
      only(2);
      const inner = scope.enter(readTyped(listAt(item, 1), 0));
      const part = readFormula(item.items[2], vocabulary, inner.scope, negated);
      return { kind: (tag === 'exists') === negated ? 'forall' : 'exists', parameters: inner.parameters, part };
    }
    default:
      return { kind: 'literal', atom: readAtom(item, vocabulary, scope), negated };
  }
}
