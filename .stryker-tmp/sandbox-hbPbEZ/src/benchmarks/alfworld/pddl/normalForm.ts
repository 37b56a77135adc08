import { GameError } from '../gameError.ts';
import type { Atom, Formula, Typed, Universal } from './formula.ts';

/** One way a condition can hold: literals over parameters of its own, and what must hold for every object. */
export interface Conjunct {
  parameters: readonly Typed[];
  needed: readonly Atom[];
  forbidden: readonly Atom[];
  universals: readonly Universal[];
}

/** Ways one condition may have; more is no game but an explosion. */
const most = 1024;

/** The ways a formula can hold (disjunctive normal form); existential variables become parameters. @throws GameError `size` */
export function conjunctsOf(formula: Formula): Conjunct[] {
  const none: Conjunct = { parameters: [], needed: [], forbidden: [], universals: [] };
  switch (formula.kind) {
    case 'literal':
      return [{ ...none, [formula.negated ? 'forbidden' : 'needed']: [formula.atom] }];
    case 'forall':
      return [{ ...none, universals: [formula] }];
    case 'exists':
      return conjunctsOf(formula.part).map((one) => ({
        ...one,
        parameters: [...formula.parameters, ...one.parameters],
      }));
    case 'or':
      return limited(formula.parts.flatMap(conjunctsOf));
    case 'and':
      return formula.parts.reduce<Conjunct[]>(
        (ways, part) => {
          const others = conjunctsOf(part);
          if (ways.length * others.length > most) throw tooMany();
          return ways.flatMap((way) => others.map((other) => both(way, other)));
        },
        [none],
      );
  }
}

function both(a: Conjunct, b: Conjunct): Conjunct {
  return {
    parameters: [...a.parameters, ...b.parameters],
    needed: [...a.needed, ...b.needed],
    forbidden: [...a.forbidden, ...b.forbidden],
    universals: [...a.universals, ...b.universals],
  };
}

function limited(ways: Conjunct[]): Conjunct[] {
  if (ways.length > most) throw tooMany();
  return ways;
}

function tooMany(): GameError {
  return new GameError('size', `A condition has more than ${most} alternatives.`);
}
