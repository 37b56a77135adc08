/** The journal of a run with very many families: no records behind it, only what the dashboard draws. */
import { inBand } from '../../../src/engine/math/curriculum.ts';
import { pooled, successRate } from '../../../src/engine/math/successRate.ts';
import { Rng } from '../../../src/engine/random.ts';
import type { FamilyScore, JournalEvent } from '../../../src/shared/journal/events.ts';
import { presets } from '../../../src/shared/experiment/presets.ts';

const { alpha, beta, lambda, kMin } = presets.embedded.curriculum;
const version = { name: 'agent@0', handle: 'agent-0' };
const group = 8;

/** Each family has two tasks; p̂ rises into the band. */
export function* manyFamilies(epochs: number, families: number): Generator<JournalEvent> {
  let seq = 0;
  for (let epoch = 1; epoch <= epochs; epoch++) {
    const rng = Rng.from(1, 'many-families', epoch);
    const level = 0.15 + 0.4 * (1 - Math.exp((-4 * epoch) / epochs));
    const scores = Array.from({ length: families }, (_, f) => score(`e${epoch}.f${f}`, level, families, rng));
    const settings = { alpha, beta, lambda, kMin };
    yield {
      v: 1,
      seq: seq++,
      at: 0,
      type: 'epoch.started',
      epoch,
      settings,
      versions: { agent: version, environment: version },
    };
    const kept = scores.filter((one) => one.kept > 0).length;
    yield {
      ...{ v: 1, seq: seq++, at: 0, type: 'families.scored', epoch, scope: 'family', families: scores },
      successRate: pooled(scores.map((one) => one.successRate)),
      baseSuccessRate: successRate(0, 0),
      inBand: kept / families,
      environmentReward: 0.5,
      familiesKept: kept,
      effectiveSampleSize: kept,
    };
  }
}

function score(id: string, level: number, families: number, rng: Rng): FamilyScore {
  const p = Math.min(1, Math.max(0, level + 0.5 * (rng.next() + rng.next() - 1)));
  const tasks = ['v0', 'v1'].map((name) => {
    let successes = 0;
    for (let attempt = 0; attempt < group; attempt++) if (rng.next() < p) successes += 1;
    return { id: `${id}.${name}`, successes, attempts: group, environmentReward: 0.5, weight: 0 };
  });
  const rate = pooled(tasks);
  const kept = inBand(rate.p ?? 0, { alpha, kMin }) ? 1 : 0;
  return {
    ...{ id, seed: null, origin: 'generated', plan: '', tasks, successRate: rate, estimate: rate.p ?? 0 },
    ...{ environmentReward: 0.5, kept, weight: kept / families, complexity: {} },
  };
}
