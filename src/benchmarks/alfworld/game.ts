import { GameError } from './gameError.ts';
import type { GameFile } from './gameFile.ts';
import { shownNames } from './names.ts';
import { readDomain, type ActionSchema } from './pddl/domain.ts';
import { readProblem } from './pddl/problem.ts';
import { Texts, type Context } from './text/derive.ts';
import { variablesOf, type Entity } from './text/expression.ts';
import { keyOf } from './text/matches.ts';
import { readQuery } from './text/query.ts';
import type { TextSymbol } from './text/symbols.ts';
import { ToldFacts } from './text/toldFacts.ts';
import { readGrammar, type Grammar } from './text/twl2.ts';
import { World } from './world/world.ts';
import type { Operator } from './world/operator.ts';

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
  readonly #commands: (Command | undefined)[];
  /** Of actions whose command only names some of their objects, by the action's name. */
  readonly #naming: ReadonlyMap<string, Naming>;
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
    this.#commands = Array.from(this.world.operators, () => undefined);
    this.#naming = new Map(
      domain.actions.flatMap((schema) => {
        const places = namedPlaces(schema, this.#grammar.actions.get(schema.name)?.template ?? []);
        return places === null ? [] : [[schema.name, { places, commands: new Map<string, Command>() }]];
      }),
    );
  }

  /** The facts that texts assume at the start. */
  startFacts(): ToldFacts {
    const facts = new ToldFacts(this.world.objects.types);
    for (const { id, predicate, args } of this.world.facts.all) {
      if (id < this.world.initial && predicate !== '=') facts.put(predicate, args);
    }
    return facts;
  }

  /** The text to type for this action. `null`: it depends on the facts of the moment (`commandNow`). */
  command(operator: Operator): Command | null {
    const known = this.#commands[operator.id];
    if (known !== undefined) return known;
    const name = operator.schema?.name ?? '';
    if (this.#changing.has(name)) return null;
    const naming = this.#naming.get(name);
    const command = naming === undefined ? this.commandNow(operator, this.#startFacts) : this.#named(operator, naming);
    this.#commands[operator.id] = command;
    return command;
  }

  /** Going to one place from everywhere is one text, which need not be made again. */
  #named(operator: Operator, { places, commands }: Naming): Command {
    const key = places.map((place) => operator.args[place]).join();
    let command = commands.get(key);
    if (command === undefined) commands.set(key, (command = this.commandNow(operator, this.#startFacts)));
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

/** Which of an action's objects its command names, and the commands by these. */
interface Naming {
  /** Among its parameters. */
  places: readonly number[];
  commands: Map<string, Command>;
}

/** Null where the command says more than its objects' attributes. */
function namedPlaces({ parameters }: ActionSchema, template: readonly TextSymbol[]): number[] | null {
  const names = template.map((symbol) => {
    if (symbol.kind === 'text') return [];
    return symbol.kind === 'each' && symbol.what.kind === 'expression' && symbol.given === ''
      ? variablesOf(symbol.what.expression)
      : null;
  });
  if (names.includes(null)) return null;
  const named = new Set(names.flatMap((some) => some ?? []));
  return [...parameters.keys()].filter((place) => named.has(parameters[place]?.name.slice(1) ?? ''));
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
