/** The data of one optimiser step of the environment, and the logprobs that it needs. */
import type { Sequence } from '../../../shared/records/trace.ts';
import { trainable, type Loop } from '../../loop.ts';
import type { Datum, Loss, PolicyVersion, TrainablePolicy } from '../../ports.ts';
import { sampledLogprobs } from '../logprobs.ts';

export interface Lesson {
  data: Datum[];
  loss: Loss;
  /** Sampled tokens in it. */
  tokens: number;
}

/** A kind of update: turns an epoch's texts into steps. */
export interface Teacher {
  /** @param version the weights that are trained now */
  lesson(version: PolicyVersion, step: number): Promise<Lesson>;
}

type Texts = readonly Pick<Sequence, 'tokens' | 'spans'>[];

/** Requests logprobs of sampled tokens from the environment's two policies. */
export class Simulators {
  readonly policy: TrainablePolicy;
  readonly #initial: TrainablePolicy;
  readonly #loop: Loop;

  constructor(loop: Loop) {
    this.#loop = loop;
    this.policy = trainable(loop.environment, 'environment');
    this.#initial = trainable(loop.environment.initial, 'environment');
  }

  logprobs(version: PolicyVersion, texts: Texts): Promise<number[][]> {
    return sampledLogprobs(this.policy, version, texts, this.#loop.ports.signal);
  }

  initialLogprobs(texts: Texts): Promise<number[][]> {
    const { environment, ports } = this.#loop;
    return sampledLogprobs(this.#initial, environment.initial.version, texts, ports.signal);
  }
}
