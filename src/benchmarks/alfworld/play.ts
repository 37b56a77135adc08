import { strip } from '../python/text.ts';
import { Commands } from './commands.ts';
import type { Game } from './game.ts';
import { negated } from './text/query.ts';
import type { ToldFacts } from './text/toldFacts.ts';
import { Applicable } from './world/applicable.ts';

/** One game being played. It continues after it is won, as in the official engine. */
export class Play {
  readonly intro: string;
  readonly #game: Game;
  readonly #applicable: Applicable;
  readonly #facts: ToldFacts;
  readonly #commands: Commands;

  /** @throws GameError `text` where the grammar has no text, as `step` does */
  constructor(game: Game) {
    this.#game = game;
    this.#applicable = new Applicable(game.world);
    this.#facts = game.startFacts();
    this.intro = game.intro(this.#facts);
    this.#commands = new Commands(game);
    this.#commands.turn(this.#applicable.active, [], this.#facts);
  }

  /** Every command that does something now, sorted. */
  get admissible(): readonly string[] {
    return this.#commands.sorted;
  }

  get won(): boolean {
    return this.#applicable.won;
  }

  /** Carries out a command, blanks around it aside, and answers. What is not admissible changes nothing. */
  step(command: string): string {
    const operator = this.#commands.operator(strip(command), this.#applicable);
    if (operator === undefined) return 'Nothing happens.';
    const { came, went } = this.#applicable.apply(operator);
    for (const { fact, told } of this.#game.world.effectsOf(operator)) {
      if (told === null) continue;
      const opposite = negated(fact.predicate);
      this.#facts.drop(told === 'added' ? opposite : fact.predicate, fact.args);
      this.#facts.put(told === 'added' ? fact.predicate : opposite, fact.args);
    }
    this.#commands.turn(came, went, this.#facts);
    return this.#game.feedback(operator, this.#facts);
  }
}
