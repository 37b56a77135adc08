/** Optimiser steps of one update of the environment, and the KLs after each, on every text of the epoch. */
import type { AdamParams, PolicyVersion } from '../../ports.ts';
import { bothOrNeither, pauseIfAsked, type Loop } from '../../loop.ts';
import { entropyAfter, klAfter, klV2 } from '../../math/kl.ts';
import { Publishing } from '../updates/publishing.ts';
import type { Lesson, Simulators } from './lesson.ts';
import type { Written } from './written.ts';

export class TrainedSteps {
  /** The weights now. */
  version: PolicyVersion;
  /** Logprobs of the texts' sampled tokens under them. */
  now: readonly number[];
  entropy = 0;
  /** Nats per token: of the update so far, and to the initial simulator. */
  readonly kl: { update: number; initial: number };
  /** Of all steps: sequences, their sampled tokens, and their tokens with prompts. */
  readonly trained = { sequences: 0, tokens: 0, whole: 0 };
  readonly publishing: Publishing;
  readonly #loop: Loop;
  readonly #simulators: Simulators;
  readonly #written: Written;
  readonly #name: string;

  /** @param name of the version that the update makes */
  constructor(loop: Loop, simulators: Simulators, written: Written, name: string) {
    this.#loop = loop;
    this.#simulators = simulators;
    this.#written = written;
    this.#name = name;
    this.publishing = new Publishing('environment', loop, simulators.policy);
    this.version = loop.environment.version;
    this.now = written.before;
    this.kl = { update: 0, initial: klAfter(written.sampled, written.before, written.initial) };
  }

  async take(lesson: Lesson, adam: AdamParams): Promise<{ loss: number; gradNorm: number | null }> {
    pauseIfAsked(this.#loop);
    const { policy } = this.#simulators;
    const [{ loss }, { gradNorm }] = await bothOrNeither(
      policy.accumulate(lesson.data, lesson.loss),
      policy.step(adam),
    );
    this.version = await this.publishing.publish(this.#name);
    const { sequences, sampled, before, initial } = this.#written;
    this.now = (await this.#simulators.logprobs(this.version, sequences)).flat();
    this.entropy = entropyAfter(sampled, this.now);
    this.kl.update = klV2(before, this.now);
    this.kl.initial = klAfter(sampled, this.now, initial);
    this.trained.sequences += lesson.data.length;
    this.trained.tokens += lesson.tokens;
    this.trained.whole += lesson.data.reduce((sum, { tokens }) => sum + tokens.length, 0);
    return { loss, gradNorm };
  }
}
