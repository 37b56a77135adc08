import { holds, type GroundLiteral } from './groundFormula.ts';
import type { Operator, World } from './world.ts';

/** What an application changed: operators that can be taken from now on, and those that no longer can. */
export interface Turnover {
  came: readonly Operator[];
  went: readonly Operator[];
}

/**
 * A world's state, and at any time which actions can be taken in it. Every operator that cannot waits at one literal
 * that does not hold; only when that becomes true is it looked at again. So a step costs what it changes.
 */
export class Applicable {
  /** `truth[literal]` is 1 for literals that hold. */
  readonly truth: Uint8Array;
  readonly #world: World;
  readonly #waiting = new Map<GroundLiteral, Operator[]>();
  /** Literals hold; a condition beyond them may not. */
  readonly #guarded = new Set<Operator>();
  readonly #active = new Set<Operator>();
  readonly #goals = new Set<Operator>();
  #came: Operator[] = [];
  #went: Operator[] = [];

  /** At the start of the world. */
  constructor(world: World) {
    this.#world = world;
    this.truth = Uint8Array.from(world.start);
    for (const operator of world.operators) this.#place(operator);
    for (const goal of world.goals) this.#place(goal);
    this.#guard();
  }

  /** In no particular order. */
  get active(): ReadonlySet<Operator> {
    return this.#active;
  }

  get won(): boolean {
    return this.#goals.size > 0;
  }

  /** Takes an action that can be taken. */
  apply(operator: Operator): Turnover {
    const changes: GroundLiteral[] = [];
    for (const { fact, adds, removes } of this.#world.effectsOf(operator)) {
      const held = this.truth[2 * fact.id] === 1;
      if (holds(adds, this.truth)) {
        if (!held) changes.push(2 * fact.id);
      } else if (held && holds(removes, this.truth)) changes.push(2 * fact.id + 1);
    }
    for (const literal of changes) {
      this.truth[literal] = 1;
      this.truth[literal ^ 1] = 0;
    }
    this.#came = [];
    this.#went = [];
    this.#recheck(this.#goals);
    this.#recheck(this.#guarded);
    this.#recheck(this.#active);
    for (const literal of changes) {
      const woken = this.#waiting.get(literal) ?? [];
      this.#waiting.delete(literal);
      for (const one of woken) this.#place(one);
    }
    this.#guard();
    return { came: this.#came, went: this.#went };
  }

  /** Sends those away whose literals no longer hold. */
  #recheck(operators: Set<Operator>): void {
    for (const operator of operators) {
      if (this.#missing(operator) === undefined) continue;
      this.#guarded.delete(operator);
      this.#dismiss(operator);
      this.#place(operator);
    }
  }

  #missing(operator: Operator): GroundLiteral | undefined {
    for (const literal of operator.literals) if (this.truth[literal] === 0) return literal;
    return undefined;
  }

  #place(operator: Operator): void {
    const missing = this.#missing(operator);
    if (missing !== undefined) {
      const others = this.#waiting.get(missing);
      if (others === undefined) this.#waiting.set(missing, [operator]);
      else others.push(operator);
    } else if (operator.rest !== null) this.#guarded.add(operator);
    else this.#admit(operator);
  }

  #admit(operator: Operator): void {
    if (operator.schema === null) this.#goals.add(operator);
    else if (!this.#active.has(operator)) {
      this.#active.add(operator);
      this.#came.push(operator);
    }
  }

  #dismiss(operator: Operator): void {
    if (operator.schema === null) this.#goals.delete(operator);
    else if (this.#active.delete(operator)) this.#went.push(operator);
  }

  #guard(): void {
    for (const operator of this.#guarded) {
      if (operator.rest === null || holds(operator.rest, this.truth)) this.#admit(operator);
      else this.#dismiss(operator);
    }
  }
}
