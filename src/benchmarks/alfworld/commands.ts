import type { Game } from './game.ts';
import type { ToldFacts } from './text/toldFacts.ts';
import type { Operator } from './world/world.ts';

/** The commands of the moment and what they do, kept up to date by what came and what went. */
export class Commands {
  readonly #game: Game;
  readonly #operators = new Map<string, Operator[]>();
  /** Commands of operators whose text depends on facts that change. */
  readonly #changing = new Map<Operator, string>();
  #sorted: readonly string[] = [];

  constructor(game: Game) {
    this.#game = game;
  }

  /** Each once, by code point. */
  get sorted(): readonly string[] {
    return this.#sorted;
  }

  operator(command: string): Operator | undefined {
    return this.#operators.get(command)?.[0];
  }

  turn(came: Iterable<Operator>, went: Iterable<Operator>, facts: ToldFacts): void {
    const touched = new Set<string>();
    const had = new Set<string>();
    const touch = (command: string): Operator[] => {
      let operators = this.#operators.get(command);
      if (operators === undefined) this.#operators.set(command, (operators = []));
      if (!touched.has(command) && operators.length > 0) had.add(command);
      touched.add(command);
      return operators;
    };
    const leave = (operator: Operator, command: string): void => {
      const operators = touch(command);
      operators.splice(operators.indexOf(operator), 1);
    };
    for (const operator of went) {
      leave(operator, this.#game.command(operator) ?? this.#changing.get(operator) ?? '');
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
    this.#settle(touched, had);
  }

  #settle(touched: ReadonlySet<string>, had: ReadonlySet<string>): void {
    const added: string[] = [];
    const gone = new Set<string>();
    for (const command of touched) {
      const has = (this.#operators.get(command) ?? []).length > 0;
      if (!has) this.#operators.delete(command);
      if (has && !had.has(command)) added.push(command);
      else if (!has && had.has(command)) gone.add(command);
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
