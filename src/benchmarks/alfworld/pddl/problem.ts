import { append } from '../../../shared/append.ts';
import type { Domain } from './domain.ts';
import { readAtom, readFormula, readTyped, Scope, truth, type Atom, type Formula, type Typed } from './formula.ts';
import { listAt, nameAt, problem, readList } from './lists.ts';

/** A PDDL problem: what there is, what holds at the start, what is to hold at the end. */
export interface Problem {
  objects: readonly Typed[];
  /** True atoms without variables; nothing else is true. */
  init: readonly Atom[];
  goal: Formula;
}

/** @throws GameError `pddl` naming the line */
export function readProblem(text: string, domain: Domain): Problem {
  const whole = readList(text);
  if (whole.items[0] !== 'define') throw problem(whole.line, 'a problem begins with (define');
  const objects = [...domain.constants];
  const init: Atom[] = [];
  let goal: Formula = truth;
  for (let i = 1; i < whole.items.length; i++) {
    const part = listAt(whole, i);
    const tag = nameAt(part, 0);
    if (tag === ':objects') append(objects, readTyped(part, 1));
    else if (tag === ':init') {
      for (let f = 1; f < part.items.length; f++) {
        const fact = listAt(part, f);
        // Values of functions: costs and distances. A negated fact says what holds anyway.
        if (fact.items[0] !== '=' && fact.items[0] !== 'not') init.push(readAtom(fact, domain, Scope.of([])));
      }
    } else if (tag === ':goal') goal = readFormula(part.items[1], domain, Scope.of([]));
    else if (!['problem', ':domain', ':requirements', ':metric'].includes(tag)) {
      throw problem(part.line, `${tag} is not understood here`);
    }
  }
  const seen = new Set<string>();
  for (const { name } of objects) {
    if (seen.has(name)) throw problem(whole.line, `${name} is declared twice`);
    seen.add(name);
  }
  return { objects, init, goal };
}
