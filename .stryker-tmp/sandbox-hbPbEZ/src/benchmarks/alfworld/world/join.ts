import type { Atom, Typed } from '../pddl/formula.ts';
import type { Fact, Facts } from './facts.ts';
import type { Objects } from './objects.ts';

/** An atom whose variables are slots of a binding: a term is a slot, or −1 − an object. */
interface Pattern {
  predicate: string;
  terms: readonly number[];
}

/** Objects of a rule's variables, −1 where unbound. */
export type Binding = readonly number[];

/** A conjunction of atoms over typed variables, and how to find all that satisfies it. */
export class Rule {
  readonly parameters: readonly Typed[];
  readonly patterns: readonly Pattern[];
  readonly #objects: Objects;

  constructor(parameters: readonly Typed[], needed: readonly Atom[], objects: Objects) {
    this.parameters = parameters;
    this.#objects = objects;
    this.patterns = needed.map((atom) => this.pattern(atom));
  }

  /** An atom over this rule's variables. @throws GameError `pddl` for an object that is not there */
  pattern({ predicate, terms }: Atom): Pattern {
    return {
      predicate,
      terms: terms.map((term) => {
        const slot = this.parameters.findIndex(({ name }) => name === term);
        return slot >= 0 ? slot : -1 - this.#objects.id(term);
      }),
    };
  }

  /** Every binding in which a new fact stands at this pattern: the patterns before it by older facts, the others by no newer. */
  *matches(facts: Facts, fresh: Fact, at: number): Generator<Binding> {
    const binding = this.parameters.map(() => -1);
    const pattern = this.patterns[at];
    if (pattern === undefined || this.#bind(pattern, fresh, binding) === null) return;
    const open = this.patterns.map((_, index) => index).filter((index) => index !== at);
    yield* this.#search(facts, open, binding, (fact, index) => (index < at ? fact.id < fresh.id : fact.id <= fresh.id));
  }

  /** Every binding. */
  *all(facts: Facts): Generator<Binding> {
    const open = this.patterns.map((_, index) => index);
    yield* this.#search(
      facts,
      open,
      this.parameters.map(() => -1),
      () => true,
    );
  }

  *#search(
    facts: Facts,
    open: readonly number[],
    binding: number[],
    old: (fact: Fact, index: number) => boolean,
  ): Generator<Binding> {
    let best: { index: number; pattern: Pattern; candidates: readonly Fact[] } | null = null;
    for (const index of open) {
      const pattern = this.patterns[index];
      if (pattern === undefined) continue;
      const candidates = candidatesOf(facts, pattern, binding);
      if (best === null || candidates.length < best.candidates.length) best = { index, pattern, candidates };
    }
    if (best === null) {
      yield* this.#free(binding, 0);
      return;
    }
    const { index, pattern, candidates } = best;
    const rest = open.filter((other) => other !== index);
    for (const fact of candidates) {
      if (!old(fact, index)) continue;
      const bound = this.#bind(pattern, fact, binding);
      if (bound === null) continue;
      yield* this.#search(facts, rest, binding, old);
      for (const slot of bound) binding[slot] = -1;
    }
  }

  /** Variables that no pattern binds take every object of their type. */
  *#free(binding: number[], from: number): Generator<Binding> {
    const slot = binding.indexOf(-1, from);
    const parameter = this.parameters[slot];
    if (parameter === undefined) {
      yield [...binding];
      return;
    }
    for (const object of this.#objects.ofType(parameter.type)) {
      binding[slot] = object;
      yield* this.#free(binding, slot + 1);
    }
    binding[slot] = -1;
  }

  /** Which slots the fact bound; null, and nothing bound, when it does not fit. */
  #bind(pattern: Pattern, fact: Fact, binding: number[]): number[] | null {
    const bound: number[] = [];
    for (const [position, term] of pattern.terms.entries()) {
      const object = fact.args[position] ?? -1;
      const value = term < 0 ? -1 - term : (binding[term] ?? -1);
      if (value === object) continue;
      const type = this.parameters[term]?.type;
      if (value >= 0 || type === undefined || !this.#objects.fits(object, type)) {
        for (const slot of bound) binding[slot] = -1;
        return null;
      }
      binding[term] = object;
      bound.push(term);
    }
    return bound;
  }
}

/** The shortest list of facts that may match. */
function candidatesOf(facts: Facts, { predicate, terms }: Pattern, binding: readonly number[]): readonly Fact[] {
  let best = facts.of(predicate);
  for (const [position, term] of terms.entries()) {
    const value = term < 0 ? -1 - term : (binding[term] ?? -1);
    if (value < 0) continue;
    const some = facts.of(predicate, position, value);
    if (some.length < best.length) best = some;
  }
  return best;
}

/** A pattern's arguments under a whole binding. */
export function argsOf({ terms }: Pattern, binding: Binding): number[] {
  return terms.map((term) => (term < 0 ? -1 - term : (binding[term] ?? -1)));
}
