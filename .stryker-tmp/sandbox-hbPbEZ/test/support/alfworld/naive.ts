import type { GameFile } from '../../../src/benchmarks/alfworld/gameFile.ts';
import { readDomain, type ActionSchema, type Domain } from '../../../src/benchmarks/alfworld/pddl/domain.ts';
import type { Atom, Formula, Typed } from '../../../src/benchmarks/alfworld/pddl/formula.ts';
import { readProblem, type Problem } from '../../../src/benchmarks/alfworld/pddl/problem.ts';

type Values = ReadonlyMap<string, string>;

/** A ground action: its name and its objects. */
export interface NaiveAction {
  schema: ActionSchema;
  values: Values;
  text: string;
}

/** PDDL as its definition says it, without grounding, indexes or memory: slow, and plain enough to be trusted. */
export class NaiveWorld {
  facts: ReadonlySet<string>;
  readonly #domain: Domain;
  readonly #problem: Problem;

  constructor(file: GameFile) {
    this.#domain = readDomain(file.pddl_domain);
    this.#problem = readProblem(file.pddl_problem, this.#domain);
    this.facts = new Set(this.#problem.init.map((atom) => textOf(atom, new Map())));
  }

  get won(): boolean {
    return this.#holds(this.#problem.goal, new Map());
  }

  actions(): NaiveAction[] {
    return this.#domain.actions.flatMap((schema) =>
      this.#bindings(schema.parameters, new Map(), schema.precondition).flatMap((values) => {
        const text = [schema.name, ...schema.parameters.map(({ name }) => values.get(name) ?? '')].join(' ');
        return this.#holds(schema.precondition, values) && changes(schema, values) ? [{ schema, values, text }] : [];
      }),
    );
  }

  apply({ schema, values }: NaiveAction): void {
    const added = new Set<string>();
    const removed = new Set<string>();
    for (const effect of schema.effects) {
      for (const inner of this.#bindings(effect.parameters, values, null)) {
        if (this.#holds(effect.condition, inner)) (effect.negated ? removed : added).add(textOf(effect.atom, inner));
      }
    }
    this.facts = new Set([...[...this.facts].filter((fact) => !removed.has(fact)), ...added]);
  }

  /** All values of the parameters; those that a whole atom of the condition already refuses are not gone into. */
  #bindings(parameters: readonly Typed[], values: Values, condition: Formula | null): Values[] {
    const [first, ...rest] = parameters;
    if (condition !== null && !this.#mayHold(condition, values)) return [];
    if (first === undefined) return [values];
    return this.#problem.objects
      .filter(({ type }) => this.#fits(type, first.type))
      .flatMap(({ name }) => this.#bindings(rest, new Map([...values, [first.name, name]]), condition));
  }

  #mayHold(condition: Formula, values: Values): boolean {
    if (condition.kind === 'and') return condition.parts.every((part) => this.#mayHold(part, values));
    if (condition.kind !== 'literal') return true;
    const whole = condition.atom.terms.every((term) => !term.startsWith('?') || values.has(term));
    return !whole || this.#holds(condition, values);
  }

  #fits(type: string, wanted: string): boolean {
    if (wanted === 'object' || type === wanted) return true;
    const above = this.#domain.types.get(type);
    return above !== undefined && above !== type && this.#fits(above, wanted);
  }

  #holds(formula: Formula, values: Values): boolean {
    switch (formula.kind) {
      case 'literal': {
        const [a, b] = formula.atom.terms.map((term) => values.get(term) ?? term);
        const held = formula.atom.predicate === '=' ? a === b : this.facts.has(textOf(formula.atom, values));
        return held !== formula.negated;
      }
      case 'and':
        return formula.parts.every((part) => this.#holds(part, values));
      case 'or':
        return formula.parts.some((part) => this.#holds(part, values));
      case 'exists':
        return this.#bindings(formula.parameters, values, formula.part).some((one) => this.#holds(formula.part, one));
      case 'forall':
        return this.#bindings(formula.parameters, values, null).every((one) => this.#holds(formula.part, one));
    }
  }
}

/** Actions whose conditions already say all they do are none, as with the official engine. */
function changes(schema: ActionSchema, values: Values): boolean {
  const { precondition } = schema;
  const parts = precondition.kind === 'and' ? precondition.parts : [precondition];
  const known = new Set(
    parts.flatMap((part) =>
      part.kind === 'literal' ? [`${part.negated ? '-' : '+'}${textOf(part.atom, values)}`] : [],
    ),
  );
  const added = new Set(schema.effects.filter(({ negated }) => !negated).map(({ atom }) => textOf(atom, values)));
  return schema.effects.some(({ atom, negated, condition }) => {
    const text = textOf(atom, values);
    if (condition.kind !== 'and' || condition.parts.length > 0) return true;
    return negated ? !added.has(text) && !known.has(`-${text}`) : !known.has(`+${text}`);
  });
}

function textOf({ predicate, terms }: Atom, values: Values): string {
  return [predicate, ...terms.map((term) => values.get(term) ?? term)].join(' ');
}
