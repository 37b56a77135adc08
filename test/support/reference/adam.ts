/** AdamW with decoupled weight decay and a bound on the gradient's global L2 norm. */
import type { AdamParams } from '../../../src/engine/ports.ts';
import { outOfRange } from '../../../src/shared/outOfRange.ts';

export class Adam {
  readonly #first: Float64Array;
  readonly #second: Float64Array;
  #steps: number;

  constructor(size: number, from?: Adam) {
    this.#first = from === undefined ? new Float64Array(size) : from.#first.slice();
    this.#second = from === undefined ? new Float64Array(size) : from.#second.slice();
    this.#steps = from === undefined ? 0 : from.#steps;
  }

  /** Changes the weights in place. @returns the gradient's norm before it was bounded */
  step(weights: Float64Array, gradient: Float64Array, params: AdamParams): number {
    const { learningRate, beta1, beta2, epsilon, weightDecay, gradClipNorm } = params;
    const norm = Math.sqrt(gradient.reduce((sum, g) => sum + g * g, 0));
    const scale = gradClipNorm > 0 && norm > gradClipNorm ? gradClipNorm / norm : 1;
    this.#steps += 1;
    const unbias1 = 1 - beta1 ** this.#steps;
    const unbias2 = 1 - beta2 ** this.#steps;
    for (const [i, raw] of gradient.entries()) {
      const g = raw * scale;
      const m = beta1 * (this.#first[i] ?? outOfRange()) + (1 - beta1) * g;
      const v = beta2 * (this.#second[i] ?? outOfRange()) + (1 - beta2) * g * g;
      this.#first[i] = m;
      this.#second[i] = v;
      const weight = weights[i] ?? outOfRange();
      const move = m / unbias1 / (Math.sqrt(v / unbias2) + epsilon);
      weights[i] = weight - learningRate * move - learningRate * weightDecay * weight;
    }
    return norm;
  }
}
