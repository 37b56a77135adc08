/**
 * How a batch picks given tasks (base data, a file's, a static set's families, the agent pool's), docs/curricula.md.
 * Every draw is decided by its random stream and by what was journaled of earlier attempts.
 */
import { outOfRange } from '../../shared/outOfRange.ts';
import type { Experiment } from '../../shared/experiment/schema.ts';
import type { Rng } from '../random.ts';
import { anyOf, least, weighted } from './chance.ts';
import { ageWeights, rankWeights } from './plr.ts';
import { rounded, type Seen } from './seen.ts';

export type Sampler = Exclude<Experiment['rollouts']['sampler']['kind'], 'uniform'>;

export interface DrawSettings {
  kind: Sampler;
  /** β of `plr`. */
  temperature: number;
  /** ρ: share of repeated tasks that are drawn by their age alone. */
  staleness: number;
  /** The zone of `band`. */
  alpha: number;
  kMin: number;
}

/** One task that was drawn: its place among the candidates, what it was drawn by, and the number that decided. */
export interface Drawn {
  at: number;
  by: 'score' | 'age' | 'new' | 'pass';
  /** Of `score` and `pass` what the sampler ranks by, of `age` the epochs since; null of what was never measured. */
  value: number | null;
}

/** A sampler's ranking score of a task: PLR's is its spread, the others' p̂. Null: never measured. */
export const scoreOf = (kind: Sampler, seen: Seen | undefined): number | null =>
  (kind === 'plr' ? seen?.spread : seen?.p) ?? null;

/**
 * Draws `count` different ones of the candidates (all where there are fewer), in random order.
 * @param candidates what is known of each; undefined of one that was never attempted
 */
export function draw(
  candidates: readonly (Seen | undefined)[],
  count: number,
  settings: DrawSettings,
  epoch: number,
  rng: Rng,
): Drawn[] {
  const most = Math.min(count, candidates.length);
  return rng.shuffle(
    settings.kind === 'easiest-first'
      ? nextOfPass(candidates, most, rng)
      : replays(candidates, most, settings, epoch, rng),
  );
}

/** Goes through the set again and again: fewest visits first, among equals the easiest by its last p̂. */
function nextOfPass(candidates: readonly (Seen | undefined)[], count: number, rng: Rng): Drawn[] {
  const keys = Float64Array.from(candidates, (seen) => 3 * (seen?.draws ?? 0) + 1 - (seen?.p ?? -1));
  return least(keys, count, rng).map((at) => ({ at, by: 'pass', value: candidates[at]?.p ?? null }));
}

/**
 * PLR's `proportionate` mixture of new and known: each draw is a repetition with the chance seen/N. Of repetitions a
 * share `staleness` is drawn by age, the others by score.
 */
function replays(
  candidates: readonly (Seen | undefined)[],
  count: number,
  settings: DrawSettings,
  epoch: number,
  rng: Rng,
): Drawn[] {
  const known: number[] = [];
  const fresh: number[] = [];
  const scores: number[] = [];
  for (const [at, seen] of candidates.entries()) {
    const score = scoreOf(settings.kind, seen);
    if (score === null) fresh.push(at);
    else {
      known.push(at);
      scores.push(score);
    }
  }
  const wanted = tossed(count, known.length / Math.max(1, candidates.length), rng);
  const repeated = Math.min(known.length, Math.max(wanted, count - fresh.length));
  const byAge = tossed(repeated, settings.staleness, rng);
  const scored = byScore(Float64Array.from(scores), repeated - byAge, settings, rng);
  const taken = new Set(scored);
  const ages = Float64Array.from(known, (at, i) =>
    taken.has(i) ? 0 : Math.max(0, epoch - 1 - (candidates[at]?.epoch ?? epoch)),
  );
  const weights = ageWeights(ages);
  for (const i of taken) weights[i] = -Infinity;
  const aged = weighted(weights, byAge, rng);
  for (const i of aged) taken.add(i);
  // The newest have no age: chance decides which of them fill what is left.
  const left = known.flatMap((_, i) => (taken.has(i) ? [] : [i]));
  const filled = anyOf(left.length, byAge - aged.length, rng).map((i) => left[i] ?? outOfRange());
  const placed = (i: number): number => known[i] ?? outOfRange();
  return [
    ...scored.map((i): Drawn => ({ at: placed(i), by: 'score', value: scores[i] ?? null })),
    ...[...aged, ...filled].map((i): Drawn => ({ at: placed(i), by: 'age', value: ages[i] ?? null })),
    ...anyOf(fresh.length, count - repeated, rng).map((i): Drawn => ({
      at: fresh[i] ?? outOfRange(),
      by: 'new',
      value: null,
    })),
  ];
}

function byScore(scores: Float64Array, count: number, settings: DrawSettings, rng: Rng): number[] {
  if (settings.kind === 'plr') return weighted(rankWeights(scores, settings.temperature, rng), count, rng);
  const { alpha, kMin } = settings;
  return least(
    scores.map((p) => (Math.abs(p - alpha) <= kMin + 1e-9 ? 0 : rounded(Math.abs(p - alpha)))),
    count,
    rng,
  );
}

/** How many of `count` coins with this chance fall. */
function tossed(count: number, chance: number, rng: Rng): number {
  let sum = 0;
  for (let i = 0; i < count; i++) if (rng.next() < chance) sum += 1;
  return sum;
}
