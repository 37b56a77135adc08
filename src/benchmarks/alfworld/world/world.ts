import { GameError } from '../gameError.ts';
import type { Domain } from '../pddl/domain.ts';
import type { Problem } from '../pddl/problem.ts';
import { Conditions } from './conditions.ts';
import { Effects, type GroundEffect } from './effects.ts';
import type { Facts } from './facts.ts';
import { ground, type Assignment, type GroundFormula, type GroundLiteral } from './groundFormula.ts';
import type { Binding } from './join.ts';
import { Objects } from './objects.ts';
import { reach, type Way } from './reach.ts';
import type { Operator } from './operator.ts';

/** Ten kitchens in one take some millions. */
const mostLooks = 50_000_000;

/**
 * A problem over facts: every action that can ever be taken, with its conditions over facts that change. Actions that
 * change nothing in principle do not exist, as with the official engine: going to where one stands.
 */
export class World {
  readonly objects: Objects;
  /** Everything that can ever be true. */
  readonly facts: Facts;
  /** In the order of the domain's actions. */
  readonly operators: readonly Operator[] = [];
  /** None: the goal can never hold. */
  readonly goals: readonly Operator[] = [];
  readonly conditions: Conditions;
  /** Truth values at the start, as `truth[literal]`. */
  readonly start: Uint8Array;
  /** How many of the facts hold at the start; these come first. */
  readonly initial: number;
  /** Predicates that some effect speaks of; the others stay as they are. */
  readonly changing: ReadonlySet<string>;
  readonly #effects: Effects;
  /** Literals made ground so far. */
  #looked = 0;

  /** @throws GameError `pddl`, or `size` */
  constructor(domain: Domain, problem: Problem) {
    this.objects = new Objects(domain, problem.objects);
    this.changing = new Set(domain.actions.flatMap(({ effects }) => effects.map(({ atom }) => atom.predicate)));
    const { facts, initial, ways } = reach(domain, problem, this.objects);
    this.facts = facts;
    this.initial = initial;
    this.start = new Uint8Array(2 * facts.all.length);
    for (const { id } of facts.all) this.start[2 * id + (id < initial ? 0 : 1)] = 1;
    this.#effects = new Effects(this);
    const operators: Operator[] = [];
    const goals: Operator[] = [];
    const file = (operator: Operator, among: Operator[]): void => {
      operator.id = among.length;
      among.push(operator);
    };
    for (const way of ways) {
      const changes = way.schema === null || alwaysChanges(way);
      for (const binding of way.bindings) {
        const operator = this.#operator(way, binding);
        if (operator === null) continue;
        if (operator.schema === null) file(operator, goals);
        else if (changes || this.#effects.of(operator).some(({ told }) => told)) file(operator, operators);
      }
    }
    this.operators = operators;
    this.goals = goals;
    this.conditions = new Conditions(operators, goals, this.start);
  }

  effectsOf(operator: Operator): readonly GroundEffect[] {
    return this.#effects.of(operator);
  }

  ofType(type: string): readonly number[] {
    return this.objects.ofType(type);
  }

  literal(
    predicate: string,
    terms: readonly string[],
    negated: boolean,
    assignment: Assignment,
  ): GroundLiteral | boolean {
    return this.#literal(
      predicate,
      terms.map((term) => assignment.get(term) ?? this.objects.id(term)),
      negated,
    );
  }

  #literal(predicate: string, args: readonly number[], negated: boolean): GroundLiteral | boolean {
    if (++this.#looked > mostLooks) throw new GameError('size', 'Conditions over all objects make the game too large.');
    const fact = this.facts.get(predicate, args);
    if (fact === undefined) return negated;
    if (!this.changing.has(predicate)) return !negated;
    return 2 * fact.id + (negated ? 1 : 0);
  }

  /** Null when its conditions contradict each other. */
  #operator({ schema, conjunct, rule }: Way, binding: Binding): Operator | null {
    const assignment = new Map(rule.parameters.map(({ name }, slot) => [name, binding[slot] ?? -1]));
    const literals = new Set<GroundLiteral>();
    const rest: GroundFormula[] = [];
    const need = (formula: GroundFormula): boolean => {
      if (typeof formula === 'boolean') return formula;
      if (formula.kind === 'and') return formula.parts.every(need);
      if (formula.kind === 'or') {
        rest.push(formula);
        return true;
      }
      literals.add(formula.literal);
      return !literals.has(formula.literal ^ 1);
    };
    const whole =
      conjunct.needed.every((atom) => need(ground({ kind: 'literal', atom, negated: false }, assignment, this))) &&
      conjunct.forbidden.every((atom) => need(ground({ kind: 'literal', atom, negated: true }, assignment, this))) &&
      conjunct.universals.every((universal) => need(ground(universal, assignment, this)));
    if (!whole) return null;
    return {
      id: -1,
      schema,
      args: binding.slice(0, schema?.parameters.length ?? binding.length),
      literals: [...literals],
      rest: rest.length === 0 ? null : { kind: 'and', parts: rest },
    };
  }
}

/** Whether an effect of the schema is none of its own conditions, whatever its objects. */
function alwaysChanges({ schema, conjunct }: Way): boolean {
  const needed = new Set(conjunct.needed.map(({ predicate }) => predicate));
  return (
    schema?.effects.some(
      ({ parameters, condition, atom, negated }) =>
        !negated &&
        parameters.length === 0 &&
        condition.kind === 'and' &&
        condition.parts.length === 0 &&
        !needed.has(atom.predicate),
    ) === true && conjunct.universals.length === 0
  );
}
