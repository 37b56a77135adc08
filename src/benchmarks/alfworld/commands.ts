import type { Command, Game } from './game.ts';
import type { ToldFacts } from './text/toldFacts.ts';
import type { Applicable } from './world/applicable.ts';
import type { Operator } from './world/operator.ts';

/** The commands of the moment, kept up to date by what came and what went. */
export class Commands {
  readonly #game: Game;
  /** By the commands' numbers. */
  readonly #standings: (Standing | undefined)[] = [];
  /** Commands of operators whose text depends on facts that change. */
  readonly #changing = new Map<Operator, Command>();
  /** Of the turn that is made, repetitions included. */
  #touched: Standing[] = [];
  #sorted: readonly string[] = [];

  constructor(game: Game) {
    this.#game = game;
  }

  /** Each once, in ascending order. */
  get sorted(): readonly string[] {
    return this.#sorted;
  }

  /** The operator of a command; the first where several match. */
  operator(text: string, applicable: Applicable): Operator | undefined {
    const command = this.#game.commandOf(text);
    if (command === undefined || this.#standings[command.id]?.isListed !== true) return undefined;
    return applicable.first((operator) => (this.#game.command(operator) ?? this.#changing.get(operator)) === command);
  }

  /** @throws GameError `text` where the grammar has no text for an action */
  turn(came: Iterable<Operator>, went: Iterable<Operator>, facts: ToldFacts): void {
    for (const operator of went) {
      const command = this.#game.command(operator) ?? this.#changing.get(operator);
      if (command !== undefined) this.#touch(command).operators -= 1;
      this.#changing.delete(operator);
    }
    for (const [operator, command] of this.#changing) {
      const now = this.#game.commandNow(operator, facts);
      if (now === command) continue;
      this.#touch(command).operators -= 1;
      this.#touch(now).operators += 1;
      this.#changing.set(operator, now);
    }
    for (const operator of came) {
      const fixed = this.#game.command(operator);
      const command = fixed ?? this.#game.commandNow(operator, facts);
      if (fixed === null) this.#changing.set(operator, command);
      this.#touch(command).operators += 1;
    }
    this.#settle();
  }

  #touch(command: Command): Standing {
    const standing = (this.#standings[command.id] ??= { text: command.text, operators: 0, isListed: false });
    this.#touched.push(standing);
    return standing;
  }

  #settle(): void {
    const added: string[] = [];
    const gone = new Set<string>();
    for (const standing of this.#touched) {
      const { text, operators, isListed } = standing;
      if (operators > 0 === isListed) continue;
      standing.isListed = !isListed;
      if (isListed) gone.add(text);
      else added.push(text);
    }
    this.#touched = [];
    if (added.length === 0 && gone.size === 0) return;
    added.sort();
    const merged: string[] = [];
    let next = 0;
    for (const command of this.#sorted) {
      if (gone.has(command)) continue;
      for (let one = added[next]; one !== undefined && one < command; one = added[++next]) merged.push(one);
      merged.push(command);
    }
    this.#sorted = [...merged, ...added.slice(next)];
  }
}

/** How a command stands. */
interface Standing {
  text: string;
  /** How many operators it can be given for. */
  operators: number;
  isListed: boolean;
}
