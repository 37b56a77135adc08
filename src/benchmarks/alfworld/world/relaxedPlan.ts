import type { GroundFormula, GroundLiteral } from './groundFormula.ts';
import type { World } from './world.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Operator } from './operator.ts';

/**
 * The value of a state: the number of actions of a plan that never undoes anything, and which of them are applicable
 * now.
 */
export interface Estimate {
  /** 0: the goal holds. Null: the goal cannot be reached from here. */
  distance: number | null;
  /** Of that plan. */
  helpful: ReadonlySet<Operator>;
  /** All operators whose literals hold. */
  applicable: readonly Operator[];
}

/** An operator as the estimate sees it: it makes literals true and none false. */
interface Relaxed {
  operator: Operator;
  makes: readonly GroundLiteral[];
}

/** Estimates by relaxed plans (Hoffmann and Nebel's FF), over literals, so that conditions that forbid count too. */
export class RelaxedPlanner {
  /** Facts that some condition mentions; the others distinguish no states that matter. */
  readonly relevant: ReadonlySet<number>;
  readonly #all: readonly Relaxed[];
  /** By literal. */
  readonly #needing = new Map<GroundLiteral, number[]>();

  constructor(world: World) {
    const relevant = new Set<number>();
    const conditions = [...world.operators, ...world.goals];
    for (const { literals, rest } of conditions) {
      for (const literal of literals) relevant.add(literal >> 1);
      mentioned(rest ?? true, relevant);
    }
    const acting = world.operators.map((operator) => ({ operator, effects: world.effectsOf(operator) }));
    for (const { effects } of acting) {
      for (const { adds, removes } of effects) {
        mentioned(adds, relevant);
        mentioned(removes, relevant);
      }
    }
    this.relevant = relevant;
    const relaxed = acting.map(({ operator, effects }) => ({
      operator,
      makes: effects.flatMap(({ fact: { id }, adds, removes }) =>
        relevant.has(id)
          ? [...(adds === false ? [] : [2 * id]), ...(removes === false || adds === true ? [] : [2 * id + 1])]
          : [],
      ),
    }));
    this.#all = [
      ...relaxed.filter(({ makes }) => makes.length > 0),
      ...world.goals.map((operator) => ({ operator, makes: [] })),
    ];
    for (const [index, { operator }] of this.#all.entries()) {
      for (const literal of operator.literals) {
        const others = this.#needing.get(literal);
        if (others === undefined) this.#needing.set(literal, [index]);
        else others.push(index);
      }
    }
  }

  estimate(truth: Uint8Array): Estimate {
    const open = this.#all.map(({ operator }) => operator.literals.length);
    /** Which operator first made a literal true; those that hold have none. */
    const makers = new Map<GroundLiteral, Relaxed>();
    const applicable: Operator[] = [];
    const queue: Relaxed[] = [];
    let goal: Relaxed | null = null;
    const reach = (index: number): void => {
      open[index] = (open[index] ?? outOfRange()) - 1;
      if (open[index] !== 0) return;
      const one = this.#all[index];
      if (one !== undefined) queue.push(one);
    };
    for (const [index, one] of this.#all.entries()) if (open[index] === 0) queue.push(one);
    for (const [literal, needing] of this.#needing) if (truth[literal] === 1) for (const index of needing) reach(index);
    for (const { operator } of queue) if (operator.schema !== null) applicable.push(operator);
    for (const one of queue) {
      if (one.operator.schema === null) {
        goal = one;
        break;
      }
      for (const literal of one.makes) {
        if (truth[literal] === 1 || makers.has(literal)) continue;
        makers.set(literal, one);
        for (const index of this.#needing.get(literal) ?? []) reach(index);
      }
    }
    if (goal === null) return { distance: null, helpful: new Set(), applicable };
    const plan = new Set<Operator>();
    const wanted = [goal];
    for (const { operator } of wanted) {
      for (const literal of operator.literals) {
        const maker = makers.get(literal);
        if (maker === undefined || plan.has(maker.operator)) continue;
        plan.add(maker.operator);
        wanted.push(maker);
      }
    }
    return { distance: plan.size, helpful: new Set(applicable.filter((operator) => plan.has(operator))), applicable };
  }
}

function mentioned(formula: GroundFormula, facts: Set<number>): void {
  if (typeof formula === 'boolean') return;
  if (formula.kind === 'literal') facts.add(formula.literal >> 1);
  else for (const part of formula.parts) mentioned(part, facts);
}
