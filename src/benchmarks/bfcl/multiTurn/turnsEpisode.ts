import type { LocalEnvironment, Observation } from '../../../engine/ports.ts';
import type { Message } from '../../../shared/records/message.ts';
import { repr } from '../python/text/repr.ts';
import { Dict } from '../python/value.ts';
import { executableCalls } from './executable.ts';
import type { Instances } from './instances.ts';
import { stepLimit, type Opening } from './turnsSpec.ts';

/**
 * A conversation turn by turn: calls are executed and their results shown, as the official program shows them to models
 * that are prompted; an answer without a call brings what the person says next.
 */
export class TurnsEpisode implements LocalEnvironment {
  readonly #question: Opening['question'];
  readonly #begin: () => Instances;
  #tools: Instances;
  #turn = 0;
  #steps = 0;

  /** @param begin makes the tools as they are at the beginning, each time anew @throws what it throws */
  constructor({ question }: Pick<Opening, 'question'>, begin: () => Instances) {
    this.#question = question;
    this.#begin = begin;
    this.#tools = begin();
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
    return { messages: [resultsOf(calls, this.#tools)], done: this.#steps > stepLimit };
  }

  #nextTurn(): Observation {
    this.#turn += 1;
    this.#steps = 0;
    const said = this.#question[this.#turn];
    return said === undefined ? { messages: [], done: true } : { messages: said, done: false };
  }
}

/** Executes calls and says what they gave, as the official program does. */
export function resultsOf(calls: readonly string[], tools: Instances): Message {
  const results = calls.map((call) =>
    Dict.of([
      ['role', 'tool'],
      ['name', call],
      ['content', tools.execute(call)],
    ]),
  );
  return { role: 'user', content: repr(results) };
}
