import assert from 'node:assert/strict';
import { Game } from '../../../src/benchmarks/alfworld/game.ts';
import { Play } from '../../../src/benchmarks/alfworld/play.ts';
import { negated } from '../../../src/benchmarks/alfworld/text/query.ts';
import { ToldFacts } from '../../../src/benchmarks/alfworld/text/toldFacts.ts';
import { holds } from '../../../src/benchmarks/alfworld/world/groundFormula.ts';
import { Rng } from '../../../src/engine/random.ts';
import { gameOf, type GameName } from '../../support/alfworld/games.ts';
import { mini } from '../../support/alfworld/mini.ts';
import type { Operator } from '../../../src/benchmarks/alfworld/world/operator.ts';

/** Keeps between two steps only the facts and the printed texts: every action, command and text is computed anew. */
class FromScratch {
  readonly #game: Game;
  #truth: Uint8Array;
  #told = new Map<string, { predicate: string; args: readonly number[] }>();

  constructor(game: Game) {
    this.#game = game;
    const { start, facts, initial } = game.world;
    this.#truth = Uint8Array.from(start);
    for (const { id, predicate, args } of facts.all) if (id < initial && predicate !== '=') this.#tell(predicate, args);
  }

  get won(): boolean {
    return this.#game.world.goals.some((goal) => this.#can(goal));
  }

  /** In the world's order. */
  commands(): { text: string; operator: Operator }[] {
    const facts = this.#facts();
    return this.#game.world.operators
      .filter((operator) => this.#can(operator))
      .map((operator) => ({ text: this.#game.commandNow(operator, facts).text, operator }));
  }

  step(command: string): string {
    const operator = this.commands().find(({ text }) => text === command)?.operator;
    if (operator === undefined) return 'Nothing happens.';
    const before = Uint8Array.from(this.#truth);
    for (const { fact, adds, removes, told } of this.#game.world.effectsOf(operator)) {
      const added = holds(adds, before);
      if (added || holds(removes, before)) this.#truth.set(added ? [1, 0] : [0, 1], 2 * fact.id);
      if (told !== null) this.#tell(told === 'added' ? fact.predicate : negated(fact.predicate), fact.args);
    }
    return this.#game.feedback(operator, this.#facts());
  }

  #can({ literals, rest }: Operator): boolean {
    return literals.every((literal) => this.#truth[literal] === 1) && (rest === null || holds(rest, this.#truth));
  }

  #tell(predicate: string, args: readonly number[]): void {
    this.#told.delete(`${negated(predicate)} ${args.join()}`);
    this.#told.set(`${predicate} ${args.join()}`, { predicate, args });
  }

  #facts(): ToldFacts {
    const facts = new ToldFacts(this.#game.world.objects.types);
    for (const { predicate, args } of this.#told.values()) facts.put(predicate, args);
    return facts;
  }
}

/** Walks at random, half of the commands other than walking, and compares every answer and all that can be done. */
function assertSame(game: Game, walk: string, seed: number, steps: number): void {
  const rng = Rng.from('same', seed);
  const play = new Play(game);
  const scratch = new FromScratch(game);
  for (let step = 0; step < steps; step++) {
    const wanted = [...new Set(scratch.commands().map(({ text }) => text))].sort();
    assert.deepEqual(play.admissible, wanted, `step ${step}`);
    const here = step % 2 === 0 ? wanted : wanted.filter((command) => !command.includes(walk));
    const command = here[rng.int(here.length)] ?? 'nothing that is known';
    assert.equal(play.step(command), scratch.step(command), `step ${step}, ${command}`);
    assert.equal(play.won, scratch.won, `step ${step}, ${command}`);
  }
}

/** One command for several actions, one whose text changes, conditions beyond literals. */
const knocking = mini({
  objects: 'drum_bar_1 drum_bar_2 - box',
  init: '(stands drum_bar_2 yard_bar_1) (stands drum_bar_1 yard_bar_1)',
  goal: '(and (seen drum_bar_2) (not (open chest_bar_1)))',
  actions: `
    (:action knock :parameters (?a - agent ?p - place ?b - box)
      :precondition (and (at ?a ?p) (stands ?b ?p) (not (seen ?b))) :effect (seen ?b))
    (:action hush :parameters (?a - agent ?b - box) :precondition (seen ?b) :effect (not (seen ?b)))
    (:action list :parameters (?a - agent)
      :precondition (or (full ?a) (exists (?b - box) (and (open ?b) (seen ?b)))) :effect (seen ?a))`,
  texts: `action knock { template :: "knock"; feedback :: "The {b.name} sounds."; }
    action hush { template :: "hush {b}"; feedback :: "Silence."; }
    action list { template :: "list [{b.name | open(b:box)}]"; feedback :: "Listed."; }`,
});

describe('ALFWorld: a play kept up to date', () => {
  for (const name of ['potato', 'twTest', 'threeAgents'] satisfies GameName[]) {
    it(`says of ${name} what is found from scratch`, () => assertSame(gameOf(name), 'go to', 1, 200));
  }

  it('takes the first of several actions with one command, and follows texts that change', () => {
    for (let seed = 0; seed < 10; seed++) assertSame(new Game(knocking), 'walk', seed, 80);
  });
});
