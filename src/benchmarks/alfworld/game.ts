import { GameError } from './gameError.ts';
import type { GameFile } from './gameFile.ts';
import { shownNames } from './names.ts';
import { readDomain } from './pddl/domain.ts';
import { readProblem } from './pddl/problem.ts';
import { Texts, type Context } from './text/derive.ts';
import type { Entity } from './text/expression.ts';
import { keyOf } from './text/matches.ts';
import { readQuery } from './text/query.ts';
import type { TextSymbol } from './text/symbols.ts';
import { ToldFacts } from './text/toldFacts.ts';
import { readGrammar, type Grammar } from './text/twl2.ts';
import { World, type Operator } from './world/world.ts';

export interface GameOptions {
  /** Call things `apple 2` (the default) or by their ids. */
  rename?: boolean;
}

/** A text that takes an action, once a game however many actions it takes. */
export interface Command {
  /** 0 … in the order of their first use. */
  id: number;
  text: string;
}

/** A game read and grounded, ready to be played any number of times at once. */
export class Game {
  readonly world: World;
  readonly texts: Texts;
  /** By the objects' numbers. */
  readonly entities: readonly Entity[];
  readonly #grammar: Grammar;
  /** Actions whose command depends on facts that change; the official games have none. */
  readonly #changing: ReadonlySet<string>;
  /** By the operators' numbers. */
  readonly #commands: (Command | undefined)[] = [];
  readonly #byText = new Map<string, Command>();
  readonly #startFacts: ToldFacts;

  /** @throws GameError when a part cannot be read, or an action has no text */
  constructor(file: GameFile, { rename = true }: GameOptions = {}) {
    const domain = readDomain(file.pddl_domain);
    const problem = readProblem(file.pddl_problem, domain);
    this.#grammar = readGrammar(file.grammar);
    for (const { name } of domain.actions) {
      if (!this.#grammar.actions.has(name)) {
        throw new GameError('grammar', `The text grammar has no text for the action ${name}.`);
      }
    }
    this.world = new World(domain, problem);
    const { objects } = this.world;
    const names = rename ? shownNames(new Set(problem.init.flatMap(({ terms }) => terms))) : new Map<string, string>();
    this.entities = objects.names.map((id, object) => ({
      id,
      type: objects.types[object] ?? '',
      name: names.get(id) ?? id,
      definite: 'the',
      indefinite: 'a',
    }));
    this.texts = new Texts(this.#grammar.rules, this.entities, domain.types);
    this.#changing = new Set(
      [...this.#grammar.actions]
        .filter(([, { template }]) => template.some((one) => this.#depends(one)))
        .map(([name]) => name),
    );
    this.#startFacts = this.startFacts();
  }

  /** What texts take for true at the start. */
  startFacts(): ToldFacts {
    const facts = new ToldFacts(this.world.objects.types);
    for (const { id, predicate, args } of this.world.facts.all) {
      if (id < this.world.initial && predicate !== '=') facts.put(predicate, args);
    }
    return facts;
  }

  /** What a person types to take this action. `null`: it depends on the facts of the moment (`commandNow`). */
  command(operator: Operator): Command | null {
    const known = this.#commands[operator.id];
    if (known !== undefined) return known;
    if (this.#changing.has(operator.schema?.name ?? '')) return null;
    const command = this.commandNow(operator, this.#startFacts);
    this.#commands[operator.id] = command;
    return command;
  }

  commandNow(operator: Operator, facts: ToldFacts): Command {
    const text = this.texts.derive(this.#text(operator).template, contextOf(operator, this.world.objects.types), facts);
    let command = this.#byText.get(text);
    if (command === undefined) this.#byText.set(text, (command = { id: this.#byText.size, text }));
    return command;
  }

  /** The command of this text; undefined when there never was one. */
  commandOf(text: string): Command | undefined {
    return this.#byText.get(text);
  }

  feedback(operator: Operator, facts: ToldFacts): string {
    return this.texts.derive(this.#text(operator).feedback, contextOf(operator, this.world.objects.types), facts);
  }

  intro(facts: ToldFacts): string {
    return this.texts.derive([{ kind: 'rule', name: 'intro' }], { mapping: new Map(), variables: new Map() }, facts);
  }

  #text({ schema }: Operator) {
    const text = this.#grammar.actions.get(schema?.name ?? '');
    if (text === undefined) throw new GameError('grammar', `There is no text for ${schema?.name ?? 'the goal'}.`);
    return text;
  }

  #depends(symbol: TextSymbol): boolean {
    if (symbol.kind === 'text') return false;
    if (symbol.kind === 'rule') return true;
    const { what, given } = symbol.kind === 'list' ? symbol.each : symbol;
    if (what.kind === 'rule') return true;
    if (given === '') return false;
    return readQuery(given).some(({ predicate }) => this.world.changing.has(predicate.replace(/^not_/, '')));
  }
}

/**
 * The action's objects, for its texts. The official engine gives them the types of the action's parameters, and so does not
 * find one again in facts whose declared type is another: it stands for no object there (−2).
 */
function contextOf({ schema, args }: Operator, types: readonly string[]): Context {
  const mapping = new Map<string, number>();
  const variables = new Map<string, number>();
  for (const [slot, { name, type }] of (schema?.parameters ?? []).entries()) {
    const own = name.slice(1);
    const object = args[slot] ?? -1;
    mapping.set(keyOf({ name: own, type }), types[object] === type ? object : -2);
    variables.set(own, object);
  }
  return { mapping, variables };
}
