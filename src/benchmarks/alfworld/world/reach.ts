import { GameError } from '../gameError.ts';
import type { ActionSchema, Domain } from '../pddl/domain.ts';
import { truth, type Atom, type Typed } from '../pddl/formula.ts';
import { conjunctsOf, type Conjunct } from '../pddl/normalForm.ts';
import type { Problem } from '../pddl/problem.ts';
import { Facts } from './facts.ts';
import { argsOf, Rule, type Binding } from './join.ts';
import type { Objects } from './objects.ts';

/** One way in which an action of a schema, or the goal (`schema` null), can hold, and with which objects. */
export interface Way {
  schema: ActionSchema | null;
  conjunct: Conjunct;
  rule: Rule;
  bindings: Binding[];
}

/**
 * The facts that could become true if none became false, and the actions that make them so. The first `initial` facts
 * are true at the start.
 */
export interface Reached {
  facts: Facts;
  initial: number;
  ways: readonly Way[];
}

/** Ground actions a game may have; the official games have some thousands. */
const mostBindings = 3_000_000;

/**
 * Everything reachable, deletions and negative conditions left out: what the official engine grounds by. What is not
 * in here never happens. @throws GameError `pddl` for unknown objects, `size` when there is too much
 */
export function reach(domain: Domain, problem: Problem, objects: Objects): Reached {
  const facts = new Facts(objects.names.length);
  for (const { predicate, terms } of problem.init)
    facts.add(
      predicate,
      terms.map((term) => objects.id(term)),
    );
  for (const id of objects.names.keys()) facts.add('=', [id, id]);
  const initial = facts.all.length;

  const ways: Way[] = [];
  const firing: Firing[] = [];
  for (const schema of domain.actions) {
    for (const conjunct of conjunctsOf(schema.precondition)) {
      const way = wayOf(schema, conjunct, [...schema.parameters, ...conjunct.parameters], objects);
      ways.push(way);
      const plain = schema.effects.filter((effect) => effect.parameters.length === 0 && effect.condition === truth);
      firing.push({ rule: way.rule, heads: plain.filter(({ negated }) => !negated).map(({ atom }) => atom), way });
      for (const effect of schema.effects.filter((one) => !one.negated && !plain.includes(one))) {
        for (const when of conjunctsOf(effect.condition)) {
          const parameters = [...way.rule.parameters, ...effect.parameters, ...when.parameters];
          const rule = new Rule(parameters, [...conjunct.needed, ...when.needed], objects);
          firing.push({ rule, heads: [effect.atom], way: null });
        }
      }
    }
  }
  for (const conjunct of conjunctsOf(problem.goal)) {
    const way = wayOf(null, conjunct, conjunct.parameters, objects);
    ways.push(way);
    firing.push({ rule: way.rule, heads: [], way });
  }
  fire(firing, facts);
  return { facts, initial, ways };
}

/** A rule with what it makes true; its bindings are kept for the way it is of. */
interface Firing {
  rule: Rule;
  heads: readonly Atom[];
  way: Way | null;
}

function wayOf(schema: ActionSchema | null, conjunct: Conjunct, parameters: readonly Typed[], objects: Objects): Way {
  return { schema, conjunct, rule: new Rule(parameters, conjunct.needed, objects), bindings: [] };
}

function fire(firing: readonly Firing[], facts: Facts): void {
  let found = 0;
  const take = ({ rule, heads, way }: Firing): ((bindings: Iterable<Binding>) => void) => {
    const patterns = heads.map((atom) => rule.pattern(atom));
    return (bindings) => {
      for (const binding of bindings) {
        if (++found > mostBindings)
          throw new GameError('size', `The game has more than ${mostBindings} ground actions.`);
        way?.bindings.push(binding);
        for (const pattern of patterns) facts.add(pattern.predicate, argsOf(pattern, binding));
      }
    };
  };
  const waiting = new Map<string, { rule: Rule; at: number; take: (bindings: Iterable<Binding>) => void }[]>();
  for (const one of firing) {
    const { rule } = one;
    const takes = take(one);
    if (rule.patterns.length === 0) takes(rule.all(facts));
    for (const [at, { predicate }] of rule.patterns.entries()) {
      const others = waiting.get(predicate) ?? [];
      waiting.set(predicate, [...others, { rule, at, take: takes }]);
    }
  }
  // The table grows while it is read: each fact is met once, after those found before it.
  for (const fact of facts.all) {
    for (const { rule, at, take: takes } of waiting.get(fact.predicate) ?? []) takes(rule.matches(facts, fact, at));
  }
}
