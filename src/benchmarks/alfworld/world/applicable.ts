import { wait } from './conditions.ts';
import { holds, type GroundLiteral } from './groundFormula.ts';
import type { World } from './world.ts';
import type { Operator } from './operator.ts';

/** Changes by an application: operators that are now applicable, and those that no longer are. */
export interface Turnover {
  came: readonly Operator[];
  went: readonly Operator[];
}

/**
 * A world's state, and at any time which actions can be taken in it. Those with one literal for a condition come and go
 * with it. Every other operator that cannot be taken waits at one literal that does not hold; only when that becomes true
 * is it looked at again. So a step costs what it changes.
 */
export class Applicable {
  /** `truth[literal]` is 1 for literals that hold. */
  readonly truth: Uint8Array;
  readonly #world: World;
  /** Those that wait since the start are the world's, until their literal came to hold for the first time. */
  readonly #waiting = new Map<GroundLiteral, Operator[]>();
  readonly #woken = new Set<GroundLiteral>();
  /** Literals hold; a condition beyond them may not. */
  readonly #guarded = new Set<Operator>();
  /** Literals that hold and are the whole condition of some operators. */
  readonly #simple = new Set<GroundLiteral>();
  /** Operators with other conditions. */
  readonly #active = new Set<Operator>();
  readonly #goals = new Set<Operator>();
  #came: Operator[] = [];
  #went: Operator[] = [];

  /** At the start of the world. */
  constructor(world: World) {
    this.#world = world;
    this.truth = Uint8Array.from(world.start);
    for (const literal of world.conditions.simple.keys()) if (this.truth[literal] === 1) this.#simple.add(literal);
    for (const operator of world.conditions.ready) this.#admitOrGuard(operator);
    this.#guard();
  }

  /** In no particular order, put together for every caller. */
  get active(): ReadonlySet<Operator> {
    const active = new Set(this.#active);
    for (const operators of this.#groups()) for (const operator of operators) active.add(operator);
    return active;
  }

  /** The first of those that can be taken, as the world has them in order. */
  first(is: (operator: Operator) => boolean): Operator | undefined {
    let first: Operator | undefined;
    for (const operators of [this.#active, ...this.#groups()]) {
      for (const operator of operators) if (operator.id < (first?.id ?? Infinity) && is(operator)) first = operator;
    }
    return first;
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
      this.#swap(literal);
      this.#wake(literal);
    }
    this.#guard();
    return { came: this.#came, went: this.#went };
  }

  #groups(): (readonly Operator[])[] {
    return Array.from(this.#simple, (literal) => this.#world.conditions.simple.get(literal) ?? []);
  }

  /** Adds operators whose only condition is this literal, and removes those whose only condition is its opposite. */
  #swap(literal: GroundLiteral): void {
    const { simple } = this.#world.conditions;
    this.#simple.delete(literal ^ 1);
    for (const operator of simple.get(literal ^ 1) ?? []) this.#went.push(operator);
    const come = simple.get(literal);
    if (come === undefined) return;
    this.#simple.add(literal);
    for (const operator of come) this.#came.push(operator);
  }

  /** Sends those away whose literals no longer hold. */
  #recheck(operators: Set<Operator>): void {
    for (const operator of operators) {
      if (this.#world.conditions.missing(operator, this.truth) === undefined) continue;
      this.#guarded.delete(operator);
      this.#dismiss(operator);
      this.#place(operator);
    }
  }

  #wake(literal: GroundLiteral): void {
    const woken = this.#waiting.get(literal) ?? [];
    this.#waiting.delete(literal);
    for (const operator of woken) this.#place(operator);
    if (this.#woken.has(literal)) return;
    this.#woken.add(literal);
    for (const operator of this.#world.conditions.waiting.get(literal) ?? []) this.#place(operator);
  }

  #place(operator: Operator): void {
    const missing = this.#world.conditions.missing(operator, this.truth);
    if (missing === undefined) this.#admitOrGuard(operator);
    else wait(this.#waiting, missing, operator);
  }

  #admitOrGuard(operator: Operator): void {
    if (operator.rest === null) this.#admit(operator);
    else this.#guarded.add(operator);
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
