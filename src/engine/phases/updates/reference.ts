/** Logprobs of an update's sequences under the policy as it started: shaping and measuring ask for each once. */
import { outOfRange } from '../../../shared/outOfRange.ts';
import type { Sequence } from '../../../shared/records/trace.ts';
import { trainable, type Loop } from '../../loop.ts';
import type { PolicyVersion, TrainablePolicy } from '../../ports.ts';
import { sampledLogprobs } from '../logprobs.ts';

export class Reference {
  readonly #policy: TrainablePolicy;
  readonly #version: PolicyVersion;
  readonly #signal: AbortSignal;
  readonly #known = new WeakMap<Sequence, Promise<number[]>>();

  constructor({ agent, ports }: Pick<Loop, 'agent' | 'ports'>) {
    this.#policy = trainable(agent.initial, 'agent');
    this.#version = agent.initial.version;
    this.#signal = ports.signal;
  }

  /** @returns of each sequence one logprob a sampled token */
  of(sequences: readonly Sequence[]): Promise<number[][]> {
    const unknown = sequences.filter((sequence) => !this.#known.has(sequence));
    const asked = sampledLogprobs(this.#policy, this.#version, unknown, this.#signal);
    for (const [i, sequence] of unknown.entries()) {
      const own = asked.then((all) => all[i] ?? outOfRange());
      // Told to whom it is given.
      own.catch(() => undefined);
      this.#known.set(sequence, own);
    }
    return Promise.all(sequences.map((sequence) => this.#known.get(sequence) ?? outOfRange()));
  }
}
