/** Attempts in tasks in families by the beta-binomial model: what intervals are tried on. */
import { Rng } from '../../src/engine/random.ts';
import type { Cluster } from '../../src/engine/math/written/clusters.ts';

export interface NestedWorld {
  p: number;
  families: number;
  tasks: number;
  attempts: number;
  /** Correlation of families' true rates about p, and of tasks' about their family's. */
  family: number;
  task: number;
}

/** Seeded draws of epochs. */
export class NestedAttempts {
  readonly #world: NestedWorld;
  readonly #rng: Rng;

  constructor(world: NestedWorld, seed: string | number) {
    this.#world = world;
    this.#rng = Rng.from('nested attempts', seed);
  }

  /** An epoch: each family's true rate and the counts of its tasks. */
  draw(): { rate: number; tasks: Cluster[] }[] {
    const { p, families, tasks, attempts, family, task } = this.#world;
    const drawn: { rate: number; tasks: Cluster[] }[] = [];
    for (let i = 0; i < families; i++) {
      const rate = this.#beta(p, family);
      const counts: Cluster[] = [];
      for (let j = 0; j < tasks; j++) counts.push(this.#attempt(this.#beta(rate, task), attempts));
      drawn.push({ rate, tasks: counts });
    }
    return drawn;
  }

  #attempt(p: number, attempts: number): Cluster {
    let successes = 0;
    for (let i = 0; i < attempts; i++) if (this.#rng.next() < p) successes += 1;
    return { successes, attempts };
  }

  /** Beta with this mean; two Bernoulli draws at the same value correlate by `rho`. */
  #beta(mean: number, rho: number): number {
    if (rho === 0 || mean <= 0 || mean >= 1) return mean;
    const size = 1 / rho - 1;
    const [a, b] = [this.#gamma(mean * size), this.#gamma((1 - mean) * size)];
    return a + b === 0 ? Number(this.#rng.next() < mean) : a / (a + b);
  }

  /** Marsaglia and Tsang (2000). */
  #gamma(shape: number): number {
    if (shape < 1) return this.#gamma(shape + 1) * this.#rng.next() ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = this.#normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - this.#rng.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#rng.next())) * Math.cos(2 * Math.PI * this.#rng.next());
  }
}
