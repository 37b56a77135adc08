/**
 * How diverse an epoch's tasks are by the vectors of an embedding model, which also sees the same task in other words.
 * Distance is 1 − cosine: 0 for one direction, 1 for unrelated ones, 2 for opposite ones.
 */
import type { EmbeddedFigures } from '../../../shared/journal/embeddedQuality.ts';
import { outOfRange } from '../../../shared/outOfRange.ts';
import { averageLinkedSizes } from './averageLinkage.ts';

/** A vector of length 1. */
export type Vector = Float32Array;

/** A task beside the seed that it was written from; one seed is one object. */
export interface VectorAndSeed {
  vector: Vector;
  seed: Vector;
}

/**
 * Tasks closer than this part of the mean distance between two seeds are of one cluster: models differ in what distance
 * means, and seeds are different tasks by a person's choice.
 */
const reachOfSeeds = 0.5;

/** O(tasks² · length of a vector). @param tasks at least two */
export function embeddedFigures(tasks: readonly VectorAndSeed[], model: string): EmbeddedFigures {
  const n = tasks.length;
  const seeds = [...new Set(tasks.map(({ seed }) => seed))];
  const between = distancesOf(tasks.map(({ vector }) => vector));
  const toSeeds = tasks.map(({ vector }) => seeds.map((seed) => distance(vector, seed)));
  const seedOf = tasks.map(({ seed }) => seeds.indexOf(seed));
  const nearest = Array.from({ length: n }, (_, a) => {
    let least = Infinity;
    for (let b = 0; b < n; b++) if (a !== b) least = Math.min(least, between(a, b));
    return least;
  });
  return {
    model,
    distance: { mean: rounded(meanOfPairs(n, between)), nearest: rounded(mean(nearest)) },
    clusters: clustersOf(n, between, seedOf, distancesOf(seeds), seeds.length),
    seedDistance: {
      own: rounded(mean(toSeeds.map((all, i) => all[seedOf[i] ?? outOfRange()] ?? outOfRange()))),
      nearest: rounded(mean(toSeeds.map(least))),
    },
  };
}

type Between = (a: number, b: number) => number;

/** Null where one seed, or seeds all alike, say nothing of how far apart different tasks are. */
function clustersOf(
  n: number,
  between: Between,
  seedOf: readonly number[],
  betweenSeeds: Between,
  seeds: number,
): EmbeddedFigures['clusters'] {
  const reach = seeds < 2 ? 0 : reachOfSeeds * meanOfPairs(seeds, betweenSeeds);
  if (reach < 1e-6) return null;
  const sizes = averageLinkedSizes(n, between, reach);
  const ofSeeds = averageLinkedSizes(
    n,
    (a, b) => betweenSeeds(seedOf[a] ?? outOfRange(), seedOf[b] ?? outOfRange()),
    reach,
  );
  const largest = (all: readonly number[]): number => rounded(all.reduce((a, b) => Math.max(a, b), 0) / n);
  return {
    reach: rounded(reach),
    count: Math.round(sizes.reduce((sum, size) => sum + 1 / size, 0)),
    largest: largest(sizes),
    seeds: largest(ofSeeds),
  };
}

/** Of all pairs, computed once. */
function distancesOf(vectors: readonly Vector[]): Between {
  const n = vectors.length;
  const all = new Float64Array(n * n);
  vectors.forEach((vector, a) => {
    for (let b = 0; b < a; b++) all[a * n + b] = all[b * n + a] = distance(vector, vectors[b] ?? outOfRange());
  });
  return (a, b) => all[a * n + b] ?? outOfRange();
}

function distance(a: Vector, b: Vector): number {
  let cosine = 0;
  for (let i = 0; i < a.length; i++) cosine += (a[i] ?? outOfRange()) * (b[i] ?? outOfRange());
  return Math.min(2, Math.max(0, 1 - cosine));
}

function meanOfPairs(n: number, between: Between): number {
  let sum = 0;
  for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) sum += between(a, b);
  return sum / ((n * (n - 1)) / 2);
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Three decimals: servers compute the same text a little differently in another batch. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;
