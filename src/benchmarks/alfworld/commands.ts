import type { Command, Game } from './game.ts';
import type { ToldFacts } from './text/toldFacts.ts';
import type { Operator } from './world/world.ts';

/** The commands of the moment and what they do, kept up to date by what came and what went. */
export class Commands {
  readonly #game: Game;
  /** By the commands' numbers. */
  readonly #operators: (Operator[] | undefined)[] = [];
  /** Commands of operators whose text depends on facts that change. */
  readonly #changing = new Map<Operator, Command>();
  #sorted: readonly string[] = [];

  constructor(game: Game) {
    this.#game = game;
  }

  /** Each once, in ascending order. */
  get sorted(): readonly string[] {
    return this.#sorted;
  }

  operator(text: string): Operator | undefined {
    const command = this.#game.commandOf(text);
    return command === undefined ? undefined : this.#operators[command.id]?.[0];
  }

  /** @throws GameError `text` where the grammar has no text for an action */
  turn(came: Iterable<Operator>, went: Iterable<Operator>, facts: ToldFacts): void {
    const touched = new Map<Command, Touched>();
    const touch = (command: Command): Operator[] => {
      const operators = (this.#operators[command.id] ??= []);
      if (!touched.has(command)) touched.set(command, { operators, had: operators.length > 0 });
      return operators;
    };
    const leave = (operator: Operator, command: Command): void => {
      const operators = touch(command);
      operators.splice(operators.indexOf(operator), 1);
    };
    for (const operator of went) {
      const command = this.#game.command(operator) ?? this.#changing.get(operator);
      if (command !== undefined) leave(operator, command);
      this.#changing.delete(operator);
    }
    for (const [operator, command] of this.#changing) {
      const now = this.#game.commandNow(operator, facts);
      if (now === command) continue;
      leave(operator, command);
      touch(now).push(operator);
      this.#changing.set(operator, now);
    }
    for (const operator of came) {
      const fixed = this.#game.command(operator);
      const command = fixed ?? this.#game.commandNow(operator, facts);
      if (fixed === null) this.#changing.set(operator, command);
      touch(command).push(operator);
    }
    this.#settle(touched);
  }

  #settle(touched: ReadonlyMap<Command, Touched>): void {
    const added: string[] = [];
    const gone = new Set<string>();
    for (const [{ text }, { operators, had }] of touched) {
      const has = operators.length > 0;
      if (has && !had) added.push(text);
      else if (!has && had) gone.add(text);
    }
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

/** A command that something came to or went from, and whether it could be given before. */
interface Touched {
  operators: Operator[];
  had: boolean;
}
