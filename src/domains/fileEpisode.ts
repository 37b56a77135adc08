/**
 * An episode that a domain file plays. Its state is JSON that travels with each call, so any process can continue it; numbers
 * of Python travel digit for digit.
 */
import { EpisodeError } from '../engine/errors.ts';
import type { Environment, Observation } from '../engine/ports.ts';
import { faultSentence } from '../rewards/processes/answer.ts';
import { readObservation } from '../shared/domains/given.ts';
import type { Task } from '../shared/records/task.ts';
import { rewardTask } from '../shared/rewards/given.ts';
import type { DomainFunctions } from './domainFunctions.ts';

export class FileEpisode implements Environment {
  readonly #file: string;
  readonly #host: DomainFunctions;
  #task: ReturnType<typeof rewardTask> | null = null;
  #state: unknown = null;

  constructor(file: string, host: DomainFunctions) {
    this.#file = file;
    this.#host = host;
  }

  /** @throws EpisodeError */
  async reset(task: Task): Promise<Observation> {
    this.#task = rewardTask(task);
    if (!this.#host.has('reset')) return { messages: [], done: false };
    return this.#observed('reset', this.#task);
  }

  /** @throws EpisodeError */
  step(action: string): Promise<Observation> {
    return this.#observed('step', this.#task, this.#state, action);
  }

  async #observed(call: string, ...given: readonly unknown[]): Promise<Observation> {
    const reply = await this.#host.call(call, ...given);
    const read = 'fault' in reply ? { fault: faultSentence(reply.fault) } : readObservation(reply.written, this.#state);
    if ('fault' in read) throw new EpisodeError(`“${call}” of ${this.#file}: ${read.fault}`);
    const { messages, done, state } = read.value;
    this.#state = state;
    return { messages, done };
  }
}
