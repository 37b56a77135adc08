import type { GroundLiteral } from './groundFormula.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Operator } from './operator.ts';

/** The conditions of a world's operators and goals, found once however often the world is played. */
export class Conditions {
  /** Actions whose whole condition is one literal, by it: they come and go with it, all at once. */
  readonly simple: ReadonlyMap<GroundLiteral, readonly Operator[]>;
  /** The others, and goals, at the start: by the literal that each waits for. */
  readonly waiting = new Map<GroundLiteral, Operator[]>();
  /** Those of them that wait for none. */
  readonly ready: readonly Operator[];
  /** How many need a literal, by literal. */
  readonly #needed: Uint32Array;

  /** @param start `truth[literal]` is 1 for literals that hold at the start */
  constructor(operators: readonly Operator[], goals: readonly Operator[], start: Uint8Array) {
    this.#needed = new Uint32Array(start.length);
    this.simple = Map.groupBy(operators.filter(isSimple), ({ literals: [literal = -1] }) => literal);
    const others = [...operators.filter((operator) => !isSimple(operator)), ...goals];
    for (const { literals } of others) {
      for (const literal of literals) this.#needed[literal] = (this.#needed[literal] ?? outOfRange()) + 1;
    }
    const ready: Operator[] = [];
    for (const operator of others) {
      const missing = this.missing(operator, start);
      if (missing === undefined) ready.push(operator);
      else wait(this.waiting, missing, operator);
    }
    this.ready = ready;
  }

  /**
   * Of the literals that do not hold, the one that fewest others need, so that few are looked at again when it does: an
   * apple in a drawer rather than where the agent stands. Undefined when all hold.
   */
  missing({ literals }: Operator, truth: Uint8Array): GroundLiteral | undefined {
    let rarest: GroundLiteral | undefined;
    let fewest = Infinity;
    for (const literal of literals) {
      const needed = this.#needed[literal] ?? outOfRange();
      if (truth[literal] === 1 || needed >= fewest) continue;
      rarest = literal;
      fewest = needed;
    }
    return rarest;
  }
}

const isSimple = ({ literals, rest }: Operator): boolean => literals.length === 1 && rest === null;

/** Puts an operator down as waiting for a literal. */
export function wait(waiting: Map<GroundLiteral, Operator[]>, literal: GroundLiteral, operator: Operator): void {
  const others = waiting.get(literal);
  if (others === undefined) waiting.set(literal, [operator]);
  else others.push(operator);
}
