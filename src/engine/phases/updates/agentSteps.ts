/** The optimiser steps of one update of the agent, a minibatch each, and what was measured in them. */
import type { EventOf } from '../../../shared/journal/events.ts';
import { bothOrNeither, pauseIfAsked, type Loop } from '../../loop.ts';
import { klV1, klV2 } from '../../math/kl.ts';
import { advantageDatum, atSampled } from '../../math/sequence.ts';
import type { Datum, Loss, TrainablePolicy } from '../../ports.ts';
import type { Example } from './examples.ts';

type Kl = EventOf<'agent.updated'>['kl'];

export class AgentSteps {
  readonly #loop: Pick<Loop, 'experiment' | 'ports'>;
  readonly #policy: Pick<TrainablePolicy, 'accumulate' | 'step'>;
  #total = 0;
  #fresh: Pick<Kl, 'sampleTrainV1' | 'sampleTrainV2'> | null = null;
  /** Steps so far. */
  count = 0;
  /** Of the newest step; null where the trainer does not tell it. */
  gradNorm: number | null = 0;

  constructor(loop: Pick<Loop, 'experiment' | 'ports'>, policy: Pick<TrainablePolicy, 'accumulate' | 'step'>) {
    this.#loop = loop;
    this.#policy = policy;
  }

  /** The mean over the steps. */
  get loss(): number {
    return this.#total / this.count;
  }

  /** Before the first step the trainer's logprobs should be the sampler's: how far they are off is the mismatch. */
  get mismatch(): Pick<Kl, 'sampleTrainV1' | 'sampleTrainV2'> {
    return this.#fresh ?? { sampleTrainV1: 0, sampleTrainV2: 0 };
  }

  async take(minibatch: readonly Example[]): Promise<void> {
    pauseIfAsked(this.#loop);
    const { agent } = this.#loop.experiment;
    const loss: Loss =
      agent.loss === 'importance_sampling'
        ? { name: agent.loss }
        : { name: agent.loss, clipLow: agent.clipLow, clipHigh: agent.clipHigh };
    // Sent together: an endpoint runs them in this order, and a remote one loses no turn between them.
    const [metrics, stepped] = await bothOrNeither(
      this.#policy.accumulate(normalised(minibatch, agent.normalisation), loss),
      this.#policy.step({ ...agent.adam, learningRate: agent.learningRate }),
    );
    this.#fresh ??= mismatchOf(minibatch, metrics.logprobs);
    this.gradNorm = stepped.gradNorm;
    this.#total += metrics.loss;
    this.count += 1;
  }
}

/**
 * Datums whose advantages are divided by our constant, so that a SUM is a mean: over the sequences of the optimiser step
 * (`seq-mean`: mean over sequences of token sums) or over its sampled tokens (`token-mean`).
 */
function normalised(minibatch: readonly Example[], normalisation: 'seq-mean' | 'token-mean'): Datum[] {
  const divisor =
    normalisation === 'seq-mean'
      ? minibatch.length
      : minibatch.reduce((sum, { advantages }) => sum + advantages.length, 0);
  return minibatch.map(({ sequence, advantages }) =>
    advantageDatum(
      sequence,
      advantages.map((advantage) => advantage / divisor),
    ),
  );
}

function mismatchOf(minibatch: readonly Example[], logprobs: readonly (readonly number[])[]) {
  const q = minibatch.flatMap(({ sequence }) => sequence.logprobs);
  const p = minibatch.flatMap(({ sequence }, i) => atSampled(sequence, logprobs[i] ?? []));
  return { sampleTrainV1: klV1(q, p), sampleTrainV2: klV2(q, p) };
}
