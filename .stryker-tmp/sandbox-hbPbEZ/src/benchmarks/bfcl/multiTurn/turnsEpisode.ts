import type { Environment, Observation } from '../../../engine/ports.ts';
import { repr } from '../python/repr.ts';
import { Dict } from '../python/value.ts';
import type { CalendarDay } from './api.ts';
import { executableCalls } from './executable.ts';
import { Instances } from './instances.ts';
import { stepLimit, type Opening } from './turnsSpec.ts';

/**
 * A conversation turn by turn: calls are executed and their results shown, as the official program shows them to models
 * that are prompted; an answer without a call brings what the person says next.
 */
export class TurnsEpisode implements Environment {
  readonly #opening: Opening;
  readonly #today: CalendarDay;
  #tools: Instances;
  #turn = 0;
  #steps = 0;

  /** @param today on which ages are counted @throws PythonFault when what the tools begin with does not fit */
  constructor(opening: Opening, today: CalendarDay) {
    this.#opening = opening;
    this.#today = today;
    this.#tools = this.#begin();
  }

  /** The first turn stands in the prompt. */
  reset(): Observation {
    this.#tools = this.#begin();
    [this.#turn, this.#steps] = [0, 0];
    return { messages: [], done: false };
  }

  step(action: string): Observation {
    const calls = executableCalls(action);
    if (calls === null) return this.#nextTurn();
    this.#steps += 1;
    const results = calls.map((call) =>
      Dict.of([
        ['role', 'tool'],
        ['name', call],
        ['content', this.#tools.execute(call)],
      ]),
    );
    return { messages: [{ role: 'user', content: repr(results) }], done: this.#steps > stepLimit };
  }

  #nextTurn(): Observation {
    this.#turn += 1;
    this.#steps = 0;
    const said = this.#opening.question[this.#turn];
    return said === undefined ? { messages: [], done: true } : { messages: said, done: false };
  }

  #begin(): Instances {
    const { config, involved } = this.#opening;
    return new Instances('model', config, involved, { today: this.#today, defaults: { tags: [], mentions: [] } });
  }
}
