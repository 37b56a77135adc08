import type { EffectSchema } from '../pddl/domain.ts';
import type { Fact, Facts } from './facts.ts';
import {
  assignments,
  folded,
  ground,
  type GroundFormula,
  type Grounding,
  type GroundLiteral,
} from './groundFormula.ts';
import type { Objects } from './objects.ts';
import type { Operator } from './operator.ts';

/** An action's effect on one fact. */
export interface GroundEffect {
  fact: Fact;
  /** When it makes the fact true; `false` is never. It wins over `removes`. */
  adds: GroundFormula;
  /** When it makes the fact false. */
  removes: GroundFormula;
  /**
   * The fact as the texts assume it afterwards, whatever the conditions: the official engine keeps separate facts for
   * its texts and records every effect of an action, an addition before a deletion. `null` when the action's condition
   * says that the effect is there already.
   */
  told: 'added' | 'removed' | null;
}

/** The world that actions change, as far as their effects ask. */
interface Grounds extends Grounding {
  readonly facts: Facts;
  readonly objects: Objects;
}

/** Effects of ground actions, made with their first use. */
export class Effects {
  readonly #world: Grounds;
  readonly #made = new WeakMap<Operator, readonly GroundEffect[]>();

  constructor(world: Grounds) {
    this.#world = world;
  }

  of(operator: Operator): readonly GroundEffect[] {
    const made = this.#made.get(operator);
    if (made !== undefined) return made;
    const effects = this.#make(operator);
    this.#made.set(operator, effects);
    return effects;
  }

  #make(operator: Operator): GroundEffect[] {
    const { schema, args } = operator;
    if (schema === null) return [];
    const own = new Map(schema.parameters.map(({ name }, slot) => [name, args[slot] ?? -1]));
    const known = new Set(operator.literals);
    const parts = new Map<Fact, { adds: GroundFormula[]; removes: GroundFormula[] }>();
    for (const effect of schema.effects) {
      for (const assignment of assignments(effect.parameters, own, this.#world)) {
        const condition = folded(ground(effect.condition, assignment, this.#world), known);
        const fact = this.#fact(effect, assignment);
        if (condition === false || fact === undefined) continue;
        let part = parts.get(fact);
        if (part === undefined) parts.set(fact, (part = { adds: [], removes: [] }));
        (effect.negated ? part.removes : part.adds).push(condition);
      }
    }
    return [...parts].map(([fact, { adds, removes }]) => merged(fact, any(adds), any(removes), known));
  }

  /** Undefined for what can never be true: there is nothing to make false. */
  #fact({ atom }: EffectSchema, assignment: ReadonlyMap<string, number>): Fact | undefined {
    const { facts, objects } = this.#world;
    return facts.get(
      atom.predicate,
      atom.terms.map((term) => assignment.get(term) ?? objects.id(term)),
    );
  }
}

function any(conditions: readonly GroundFormula[]): GroundFormula {
  if (conditions.includes(true)) return true;
  const [only] = conditions;
  if (only === undefined) return false;
  return conditions.length === 1 ? only : { kind: 'or', parts: conditions };
}

function merged(
  fact: Fact,
  adds: GroundFormula,
  removes: GroundFormula,
  known: ReadonlySet<GroundLiteral>,
): GroundEffect {
  const removed = adds !== true && removes !== false && !known.has(2 * fact.id + 1);
  const added = adds !== false && !known.has(2 * fact.id);
  return { fact, adds, removes, told: removed ? 'removed' : added ? 'added' : null };
}
