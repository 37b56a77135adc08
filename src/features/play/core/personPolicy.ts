/** A person in a policy's place: answers of the loop's requests are what the person writes. */
import type { Completion } from '../../../engine/completion.ts';
import type { Capabilities, Policy, PolicyVersion, SampleRequest } from '../../../engine/ports.ts';
import type { Message } from '../../../shared/records/message.ts';
import type { ToolSpec } from '../../../shared/records/task.ts';

/** Asked of a person: the conversation as an agent reads it. */
export interface Question {
  messages: readonly Message[];
  /** Tools that the request names; undefined where it names none. */
  tools: readonly ToolSpec[] | undefined;
  /** Number of the turn to write, from 0. */
  turn: number;
}

export interface Person {
  /** Turns that were written before: they answer the first questions. */
  earlier: readonly string[];
  /** @throws the signal's reason */
  ask(question: Question, signal: AbortSignal): Promise<string>;
}

export class PersonPolicy implements Policy {
  readonly capabilities: Capabilities = {
    mode: 'frozen',
    losses: [],
    score: false,
    reduction: 'sum',
    maxContext: Number.MAX_SAFE_INTEGER,
    concurrency: 1,
    deterministic: false,
  };
  readonly #person: Person;
  #turn = 0;

  constructor(person: Person) {
    this.#person = person;
  }

  async *sample(
    _version: PolicyVersion,
    requests: readonly SampleRequest[],
    signal: AbortSignal,
  ): AsyncIterable<Completion> {
    for (const { id, messages, tools, n, only } of requests) {
      for (const index of only ?? Array.from({ length: n }, (_, i) => i)) {
        const turn = this.#turn++;
        const text = this.#person.earlier[turn] ?? (await this.#person.ask({ messages, tools, turn }, signal));
        yield { requestId: id, index, promptTokens: [], tokens: [], logprobs: [], text, stopReason: 'stop' };
      }
    }
  }

  publish = () => refused();
  checkpoint = () => refused();
  restore = () => refused();

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}

const refused = (): Promise<never> => Promise.reject(new TypeError('A person has no weights.'));
