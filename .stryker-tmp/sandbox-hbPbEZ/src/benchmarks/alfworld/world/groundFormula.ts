import type { Formula } from '../pddl/formula.ts';

/** 2 × a fact's id, plus 1 where the fact must not hold. */
export type GroundLiteral = number;

/** A condition over facts; what always or never holds is folded away. */
export type GroundFormula =
  | boolean
  | { kind: 'literal'; literal: GroundLiteral }
  | { kind: 'and'; parts: readonly GroundFormula[] }
  | { kind: 'or'; parts: readonly GroundFormula[] };

/** Which objects variables stand for. */
export type Assignment = ReadonlyMap<string, number>;

export interface Grounding {
  /** The literal, or what it always is. */
  literal(
    predicate: string,
    terms: readonly string[],
    negated: boolean,
    assignment: Assignment,
  ): GroundLiteral | boolean;
  ofType(type: string): readonly number[];
}

/** A formula over the facts of one world. */
export function ground(formula: Formula, assignment: Assignment, world: Grounding): GroundFormula {
  switch (formula.kind) {
    case 'literal': {
      const literal = world.literal(formula.atom.predicate, formula.atom.terms, formula.negated, assignment);
      return typeof literal === 'boolean' ? literal : { kind: 'literal', literal };
    }
    case 'and':
    case 'or':
      return joined(formula.kind, formula.parts.values(), (part) => ground(part, assignment, world));
    case 'exists':
    case 'forall':
      return joined(
        formula.kind === 'forall' ? 'and' : 'or',
        assignments(formula.parameters, assignment, world),
        (one) => ground(formula.part, one, world),
      );
  }
}

/** Every extension of an assignment to more variables. */
export function* assignments(
  parameters: readonly { name: string; type: string }[],
  assignment: Assignment,
  world: Pick<Grounding, 'ofType'>,
): Generator<Assignment> {
  const [first, ...rest] = parameters;
  if (first === undefined) {
    yield assignment;
    return;
  }
  for (const object of world.ofType(first.type)) {
    yield* assignments(rest, new Map([...assignment, [first.name, object]]), world);
  }
}

function joined<T>(kind: 'and' | 'or', parts: Iterable<T>, of: (part: T) => GroundFormula): GroundFormula {
  const settling = kind === 'or';
  const open: GroundFormula[] = [];
  for (const part of parts) {
    const one = of(part);
    if (one === settling) return settling;
    if (typeof one !== 'boolean') open.push(one);
  }
  const [only] = open;
  if (only === undefined) return !settling;
  return open.length === 1 ? only : { kind, parts: open };
}

/** `truth[literal]` is 1 for literals that hold. */
export function holds(formula: GroundFormula, truth: Uint8Array): boolean {
  if (typeof formula === 'boolean') return formula;
  if (formula.kind === 'literal') return truth[formula.literal] === 1;
  if (formula.kind === 'and') return formula.parts.every((part) => holds(part, truth));
  return formula.parts.some((part) => holds(part, truth));
}

/** The formula where these literals are known to hold. */
export function folded(formula: GroundFormula, known: ReadonlySet<GroundLiteral>): GroundFormula {
  if (typeof formula === 'boolean') return formula;
  if (formula.kind === 'literal') {
    if (known.has(formula.literal)) return true;
    return known.has(formula.literal ^ 1) ? false : formula;
  }
  return joined(formula.kind, formula.parts.values(), (part) => folded(part, known));
}
