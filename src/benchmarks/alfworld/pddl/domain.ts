import { append } from '../../../shared/append.ts';
import {
  readAtom,
  readFormula,
  readTyped,
  Scope,
  truth,
  type Atom,
  type Formula,
  type Typed,
  type Vocabulary,
} from './formula.ts';
import { listAt, nameAt, problem, readList, type List } from './lists.ts';

/** An action's effect where its condition is true, for every binding of its own parameters. */
export interface EffectSchema {
  parameters: readonly Typed[];
  condition: Formula;
  atom: Atom;
  /** It makes the atom false. */
  negated: boolean;
}

export interface ActionSchema {
  name: string;
  parameters: readonly Typed[];
  precondition: Formula;
  effects: readonly EffectSchema[];
}

/** A PDDL domain: costs are left out, they are nothing to a player. */
export interface Domain extends Vocabulary {
  /** Supertype of every declared type; all are under `object`. */
  types: ReadonlyMap<string, string>;
  constants: readonly Typed[];
  actions: readonly ActionSchema[];
}

/** @throws GameError `pddl` naming the line */
export function readDomain(text: string): Domain {
  const whole = readList(text);
  if (whole.items[0] !== 'define') throw problem(whole.line, 'a domain begins with (define');
  const types = new Map<string, string>();
  const constants: Typed[] = [];
  const arities = new Map([['=', 2]]);
  const vocabulary: Vocabulary = { arity: (predicate) => arities.get(predicate) };
  const actions: ActionSchema[] = [];
  for (let i = 1; i < whole.items.length; i++) {
    const part = listAt(whole, i);
    const tag = nameAt(part, 0);
    if (tag === ':types') for (const { name, type } of readTyped(part, 1)) types.set(name, type);
    else if (tag === ':constants') append(constants, readTyped(part, 1));
    else if (tag === ':predicates') {
      for (let p = 1; p < part.items.length; p++) {
        const predicate = listAt(part, p);
        arities.set(nameAt(predicate, 0), readTyped(predicate, 1).length);
      }
    } else if (tag === ':action') {
      const action = readAction(part, vocabulary);
      if (action.effects.length > 0) actions.push(action);
    } else if (![':requirements', ':functions', 'domain'].includes(tag)) {
      throw problem(part.line, `${tag} is not understood here`);
    }
  }
  return { types, constants, actions, arity: (predicate) => arities.get(predicate) };
}

function readAction(list: List, vocabulary: Vocabulary): ActionSchema {
  const name = nameAt(list, 1);
  const parts = new Map<string, List>();
  for (let i = 2; i < list.items.length; i += 2) parts.set(nameAt(list, i), listAt(list, i + 1));
  const declared = parts.get(':parameters');
  const parameters = declared === undefined ? [] : readTyped(declared, 0);
  const scope = Scope.of(parameters);
  const needs = parts.get(':precondition');
  const precondition = needs === undefined ? truth : readFormula(needs, vocabulary, scope);
  const does = parts.get(':effect');
  if (does === undefined) throw problem(list.line, `${name} has no effect`);
  const effects: EffectSchema[] = [];
  readEffect(does, vocabulary, scope, { parameters: [], condition: truth }, effects);
  return { name, parameters, precondition, effects };
}

function readEffect(
  list: List,
  vocabulary: Vocabulary,
  scope: Scope,
  under: Pick<EffectSchema, 'parameters' | 'condition'>,
  effects: EffectSchema[],
): void {
  if (list.items.length === 0) return;
  switch (list.items[0]) {
    case 'and':
      for (let i = 1; i < list.items.length; i++) readEffect(listAt(list, i), vocabulary, scope, under, effects);
      return;
    case 'forall': {
      const inner = scope.enter(readTyped(listAt(list, 1), 0));
      const parameters = [...under.parameters, ...inner.parameters];
      readEffect(listAt(list, 2), vocabulary, inner.scope, { ...under, parameters }, effects);
      return;
    }
    case 'when': {
      const condition = readFormula(list.items[1], vocabulary, scope);
      const both: Formula =
        under.condition === truth ? condition : { kind: 'and', parts: [under.condition, condition] };
      readEffect(listAt(list, 2), vocabulary, scope, { ...under, condition: both }, effects);
      return;
    }
    case 'increase':
      return;
    default: {
      const negated = list.items[0] === 'not';
      effects.push({ ...under, atom: readAtom(negated ? listAt(list, 1) : list, vocabulary, scope), negated });
    }
  }
}
