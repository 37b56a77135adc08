/**
 * One embedded model in this thread: gradients of the four losses, AdamW, scoring, sampling. The worker hosts one; tests and
 * pretraining use it directly. Synchronous and deterministic: the same calls give the same bits on every machine.
 */
import * as l10n from '@vscode/l10n';
import type { AdamParams, Datum, Loss, LossName, TrainMetrics } from '../../../engine/ports.ts';
import { backward, transposeParameters } from './backward.ts';
import { type ModelConfig, modelConfigSchema } from './config.ts';
import { EmbeddedError } from '../errors.ts';
import { initialWeights } from './init.ts';
import type { Sizes } from './buffers.ts';
import type { KernelSource } from './kernels.ts';
import { toDisk, toMemory } from './layout.ts';
import { Network } from './network.ts';
import { pack, type Packed, rowOf } from './packing.ts';
import { type SampledCompletion, sampleBatch, type TokenRequest } from './sampler.ts';
import { Vocabulary } from '../vocabulary.ts';
import type { ModelState } from './weights.ts';
import { largest } from '../../../shared/extremes.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

/** As kernels/loss.ts numbers them. */
const lossCodes: Record<LossName, number> = { cross_entropy: 0, importance_sampling: 1, ppo: 2, cispo: 3 };

/** Frozen parameters, in memory layout: opaque outside, made by `freeze`. */
export type FrozenWeights = Float32Array;

export class EmbeddedTrainer {
  readonly vocabulary: Vocabulary;
  readonly network: Network;
  #steps: number;
  /** Whether the transposed parameters are those of the parameters. */
  #transposed = false;
  #loaded: FrozenWeights | null = null;

  constructor(kernels: KernelSource, state: ModelState, sizes?: Partial<Sizes>) {
    this.vocabulary = new Vocabulary(state.vocabulary, state.end);
    this.network = new Network(kernels, modelConfigSchema.parse(state.config), sizes);
    const { at, layout } = this.network;
    this.network.write(at.parameters, toMemory(layout, state.weights));
    if (state.moments) {
      this.network.write(at.first, toMemory(layout, state.moments.first));
      this.network.write(at.second, toMemory(layout, state.moments.second));
    }
    this.#steps = state.steps;
  }

  /** A model with seeded random weights. `words` in id order; `end` is one of them. */
  static random(
    kernels: KernelSource,
    config: ModelConfig,
    words: readonly string[],
    end: string,
    seed: number,
    sizes?: Partial<Sizes>,
  ): EmbeddedTrainer {
    const weights = initialWeights(kernels, config, seed);
    const state = { config, vocabulary: [...words], end, steps: 0, weights, moments: null };
    return new EmbeddedTrainer(kernels, state, sizes);
  }

  get config(): ModelConfig {
    return this.network.config;
  }

  /** Optimiser steps taken. */
  get steps(): number {
    return this.#steps;
  }

  /** Everything needed to continue elsewhere, bit for bit. Accumulated gradients are not part of it. */
  state(): ModelState & { moments: object } {
    const { at, layout, config } = this.network;
    const read = (address: number): Float32Array => toDisk(layout, this.network.read(address));
    return {
      config,
      vocabulary: [...this.vocabulary.words],
      end: this.vocabulary.word(this.vocabulary.end),
      steps: this.#steps,
      weights: read(at.parameters),
      moments: { first: read(at.first), second: read(at.second) },
    };
  }

  freeze(): FrozenWeights {
    return this.network.read(this.network.at.parameters);
  }

  /** Weights of a model of this shape and vocabulary, frozen. @throws EmbeddedError `weights` for those of another */
  frozenOf({ config, vocabulary, weights }: ModelState): FrozenWeights {
    const own = JSON.stringify([this.config, this.vocabulary.words]);
    if (JSON.stringify([modelConfigSchema.parse(config), vocabulary]) !== own) {
      throw new EmbeddedError('weights', l10n.t('These weights are of a model with another shape or vocabulary.'));
    }
    return toMemory(this.network.layout, weights);
  }

  /** Adds the gradient of the SUM of the loss over all tokens of all data; logprobs are of the weights being trained. */
  accumulate(data: readonly Datum[], loss: Loss): TrainMetrics {
    for (const datum of data) this.#checkDatum(datum, loss);
    if (!this.#transposed) transposeParameters(this.network);
    this.#transposed = true;
    const sequences = data.map((datum) => datum.tokens);
    const logprobs = sequences.map((tokens) => new Array<number>(tokens.length).fill(0));
    let total = 0;
    for (const batch of pack(sequences, this.network.sizes)) {
      this.network.forward(this.network.at.parameters, batch, true);
      this.#gather(batch, sequences);
      this.#scatter(batch, logprobs);
      total += this.#differentiate(batch, data, loss);
      backward(this.network, batch);
    }
    return { loss: total, logprobs };
  }

  /** One AdamW step on the accumulated gradient, which it clears. Decay applies to every parameter. */
  step(adam: AdamParams): { gradNorm: number } {
    if (!(adam.epsilon > 0)) throw new EmbeddedError('request', l10n.t('AdamW needs epsilon > 0.'));
    const { kernels, at, layout } = this.network;
    const gradNorm = Math.sqrt(kernels.squaredNorm(layout.size, at.gradients));
    if (!Number.isFinite(gradNorm)) {
      this.network.clear(at.gradients, layout.size);
      throw new EmbeddedError(
        'diverged',
        l10n.t(
          'The gradient is not finite ({0}): training diverged. The weights are unchanged; restore an earlier checkpoint and lower the learning rate.',
          gradNorm,
        ),
      );
    }
    const clipped = adam.gradClipNorm > 0 && gradNorm > adam.gradClipNorm;
    this.#steps++;
    kernels.adamw(
      layout.size,
      at.parameters,
      at.gradients,
      at.first,
      at.second,
      this.#steps,
      adam.learningRate,
      adam.beta1,
      adam.beta2,
      adam.epsilon,
      adam.weightDecay,
      clipped ? adam.gradClipNorm / gradNorm : 1,
    );
    this.#transposed = false;
    return { gradNorm };
  }

  /** Logprobs of given sequences, entry 0 is 0; under frozen weights, or the ones being trained when null. */
  score(frozen: FrozenWeights | null, sequences: readonly (readonly number[])[]): number[][] {
    return this.#read(frozen, sequences, (batch, logprobs) => {
      this.#gather(batch, sequences);
      this.#scatter(batch, logprobs);
    });
  }

  /** Entropies, in nats, of the distributions that given sequences' tokens are drawn from, as `score` lays them out. */
  entropies(frozen: FrozenWeights | null, sequences: readonly (readonly number[])[]): number[][] {
    const { f32, at, layout, config } = this.network;
    return this.#read(frozen, sequences, (batch, entropies) => {
      for (const sequence of batch.sequences) {
        const row = entropies[sequence.index] ?? [];
        for (let position = 0; position + 1 < row.length; position++) {
          const input = rowOf(sequence, position);
          const first = at.final.logits / 4 + input * layout.output.padded;
          row[position + 1] = entropyOf(f32.subarray(first, first + config.vocabulary));
        }
      }
    });
  }

  /** One value a token of each sequence, filled in by `take` after a forward pass; those of the first tokens stay 0. */
  #read(
    frozen: FrozenWeights | null,
    sequences: readonly (readonly number[])[],
    take: (batch: Packed, values: number[][]) => void,
  ): number[][] {
    for (const tokens of sequences) this.#checkTokens(tokens);
    const parameters = this.#parameters(frozen);
    const values = sequences.map((tokens) => new Array<number>(tokens.length).fill(0));
    for (const batch of pack(sequences, this.network.sizes)) {
      this.network.forward(parameters, batch, false);
      take(batch, values);
    }
    return values;
  }

  /**
   * Samples; yields after every decoded token with the completions that are next in request order and done (often none), so
   * that a host can answer others in between. One sampling at a time.
   */
  *sample(frozen: FrozenWeights | null, requests: readonly TokenRequest[]): Generator<SampledCompletion[], void> {
    for (const request of requests) {
      this.#checkTokens(request.prompt);
      if (request.prompt.length === 0)
        throw new EmbeddedError('request', l10n.t('A prompt is empty: it needs at least one word.'));
      if (request.prompt.length >= this.config.context) {
        throw new EmbeddedError(
          'request',
          l10n.t(
            'A prompt of {0} tokens leaves no room in a context of {1}.',
            request.prompt.length,
            this.config.context,
          ),
        );
      }
    }
    const steps = sampleBatch(this.network, () => this.#parameters(frozen), this.vocabulary.end, requests);
    yield* steps;
  }

  #parameters(frozen: FrozenWeights | null): number {
    const { at } = this.network;
    if (frozen === null) return at.parameters;
    if (this.#loaded !== frozen) this.network.write(at.frozen, frozen);
    this.#loaded = frozen;
    return at.frozen;
  }

  /** Logprobs of every scored token of the micro-batch, in its own order of pairs. */
  #gather(batch: Packed, sequences: readonly (readonly number[])[]): void {
    const { i32, at, kernels, layout } = this.network;
    const { pairRows, pairTargets, logprobs } = at.batch;
    let pair = 0;
    for (const sequence of batch.sequences) {
      const tokens = sequences[sequence.index] ?? [];
      for (let position = 0; position + 1 < tokens.length; position++, pair++) {
        i32[pairRows / 4 + pair] = rowOf(sequence, position);
        i32[pairTargets / 4 + pair] = tokens[position + 1] ?? outOfRange();
      }
    }
    const { logits, lse } = at.final;
    kernels.gatherLogprobs(batch.pairs, layout.output.padded, logits, lse, pairRows, pairTargets, logprobs);
  }

  #scatter(batch: Packed, logprobs: number[][]): void {
    let pair = this.network.at.batch.logprobs / 4;
    for (const { index } of batch.sequences) {
      const row = logprobs[index] ?? [];
      for (let position = 1; position < row.length; position++) row[position] = this.network.f32[pair++] ?? NaN;
    }
  }

  /** Value of the loss over the micro-batch; leaves ∂L/∂logits. */
  #differentiate(batch: Packed, data: readonly Datum[], loss: Loss): number {
    const { f32, at, kernels, config, layout } = this.network;
    const { pairRows, pairTargets, logprobs, sampled, weights, slopes } = at.batch;
    let pair = 0;
    for (const { index } of batch.sequences) {
      const datum = data[index];
      if (!datum) continue;
      const perToken = loss.name === 'cross_entropy' ? datum.weights : datum.advantages;
      for (let i = 1; i < datum.tokens.length; i++, pair++) {
        f32[weights / 4 + pair] = perToken?.[i] ?? 0;
        f32[sampled / 4 + pair] = datum.logprobs?.[i] ?? 0;
      }
    }
    const clips = loss.name === 'ppo' || loss.name === 'cispo';
    const low = clips ? loss.clipLow : 0;
    const high = clips ? loss.clipHigh : 0;
    const value = kernels.lossGradient(
      lossCodes[loss.name],
      batch.pairs,
      logprobs,
      sampled,
      weights,
      low,
      high,
      slopes,
    );
    kernels.logitsBackward(
      batch.rows,
      config.vocabulary,
      layout.output.padded,
      at.final.logits,
      at.final.lse,
      batch.pairs,
      pairRows,
      pairTargets,
      slopes,
      at.backward.rowTotals,
    );
    return value;
  }

  #checkTokens(tokens: readonly number[]): void {
    this.vocabulary.check(tokens);
    if (tokens.length > this.config.context) {
      throw new EmbeddedError(
        'request',
        l10n.t('A sequence of {0} tokens does not fit a context of {1}.', tokens.length, this.config.context),
      );
    }
  }

  #checkDatum(datum: Datum, loss: Loss): void {
    this.#checkTokens(datum.tokens);
    const needed = loss.name === 'cross_entropy' ? ({ weights: datum.weights } as const) : sampledArrays(datum);
    for (const [name, array] of Object.entries(needed)) {
      if (array?.length !== datum.tokens.length) {
        throw new EmbeddedError(
          'request',
          l10n.t(
            "{0} needs '{1}' with one number a token: {2}, not {3}.",
            loss.name,
            name,
            datum.tokens.length,
            array?.length ?? 'none',
          ),
        );
      }
      if (!array.every(Number.isFinite))
        throw new EmbeddedError('request', l10n.t("'{0}' holds a number that is not finite.", name));
    }
  }
}

/** Of softmax(logits), in nats: log Σ exp − Σ p·logit. For people to look at: no run is computed from it. */
function entropyOf(logits: Float32Array): number {
  const highest = largest(logits);
  let total = 0;
  let weighted = 0;
  for (const logit of logits) {
    const weight = Math.exp(logit - highest);
    total += weight;
    weighted += weight * (logit - highest);
  }
  return Math.max(0, Math.log(total) - weighted / total);
}

function sampledArrays(datum: Datum): Record<string, readonly number[] | undefined> {
  return { logprobs: datum.logprobs, advantages: datum.advantages };
}
