/**
 * Weights exp(x) in one unit, exp(base), so that they and sums of their squares stay finite for every x. The unit is 1
 * while exponents are usual ones.
 */
export class WeightScale {
  #base = 0;

  /** By how much earlier weights shrink, before one with this exponent is added; 1 nearly always. */
  shrinks(exponent: number): number {
    if (exponent - this.#base <= slack) return 1;
    const by = Math.exp(this.#base - exponent);
    this.#base = exponent;
    return by;
  }

  /** Above 0, however small. */
  of(exponent: number): number {
    return Math.max(Number.MIN_VALUE, Math.exp(exponent - this.#base));
  }

  /** A sum of weights in the unit 1; infinite where no number is so large. */
  whole(weight: number): number {
    return weight * Math.exp(this.#base);
  }
}

/** Squares of exp(200) are finite, as are sums of very many. */
const slack = 200;
