/**
 * Weighted regression on kept texts (paper §2.4), and rejection fine-tuning, whose weights are alike: cross-entropy with
 * a KL term to the initial simulator.
 */
import type { Loop } from '../../loop.ts';
import { sampledCount, weightDatum } from '../../math/sequence.ts';
import type { Datum, PolicyVersion } from '../../ports.ts';
import { Rng } from '../../random.ts';
import type { Lesson, Simulators, Teacher } from './lesson.ts';
import { anchors, type Instance, type RegressionSet } from './regressionSet.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';

export class Regression implements Teacher {
  readonly #loop: Loop;
  readonly #epoch: number;
  readonly #simulators: Simulators;
  readonly #set: RegressionSet;
  /** Logprobs under the initial simulator by instance key: they never change. */
  readonly #reference = new Map<string, number[]>();

  constructor(loop: Loop, epoch: number, simulators: Simulators, set: RegressionSet) {
    this.#loop = loop;
    this.#epoch = epoch;
    this.#simulators = simulators;
    this.#set = set;
  }

  async lesson(version: PolicyVersion, step: number): Promise<Lesson> {
    const minibatch = await this.#minibatch(step);
    return {
      data: await this.#datums(version, minibatch),
      loss: { name: 'cross_entropy' },
      tokens: minibatch.reduce((sum, { sequence }) => sum + sampledCount(sequence), 0),
    };
  }

  /** Kept instances with weights summing to 1 − baseShare, anchors with the rest. */
  async #minibatch(step: number): Promise<Instance[]> {
    const { baseShare, minibatch: size } = this.#loop.experiment.environment;
    const count = Math.round(size * baseShare);
    const anchored = await anchors(this.#loop, this.#simulators.policy, this.#epoch, step, count);
    const rng = Rng.from(this.#loop.experiment.seed, 'regression', this.#epoch, step);
    const own = rng.pick(this.#set.instances, Math.max(1, size - anchored.length));
    const total = own.reduce((sum, { weight }) => sum + weight, 0);
    const kept = anchored.length === 0 ? 1 : 1 - baseShare;
    return [
      ...own.map(({ key, sequence, weight }) => ({ key, sequence, weight: (weight / total) * kept })),
      ...anchored.map((instance) => ({ ...instance, weight: instance.weight * baseShare })),
    ];
  }

  /**
   * Cross-entropy datums. Token weight = w (or w/|y|) + (κ/N)(b − p): the second part is the score-function gradient of
   * −κ·KL(π‖initial) on the sample's tokens; p is refreshed before every sub-step, the sign may make a weight negative.
   */
  async #datums(version: PolicyVersion, minibatch: readonly Instance[]): Promise<Datum[]> {
    const { tokenWeights, klCoefficient } = this.#loop.experiment.environment;
    const current = klCoefficient === 0 ? [] : await this.#simulators.logprobs(version, sequencesOf(minibatch));
    const reference = klCoefficient === 0 ? [] : await this.#referenceOf(minibatch);
    return minibatch.map(({ sequence, weight }, i) => {
      const count = sampledCount(sequence);
      const each = tokenWeights === 'instance' ? weight / Math.max(1, count) : weight;
      const pull = klCoefficient / minibatch.length / (tokenWeights === 'instance' ? Math.max(1, count) : 1);
      const weights = Array.from({ length: count }, (_, t) => {
        if (klCoefficient === 0) return each;
        const [p, b] = [current[i]?.[t] ?? outOfRange(), reference[i]?.[t] ?? outOfRange()];
        return each + pull * (b - p);
      });
      return weightDatum(sequence, weights);
    });
  }

  async #referenceOf(minibatch: readonly Instance[]): Promise<number[][]> {
    const missing = minibatch.filter(({ key }) => !this.#reference.has(key));
    const scored = await this.#simulators.initialLogprobs(sequencesOf(missing));
    for (const [i, { key }] of missing.entries()) this.#reference.set(key, scored[i] ?? []);
    return minibatch.map(({ key }) => this.#reference.get(key) ?? []);
  }
}

const sequencesOf = (instances: readonly Instance[]): Instance['sequence'][] =>
  instances.map(({ sequence }) => sequence);
