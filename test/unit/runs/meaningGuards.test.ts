/** The guards by meaning, on simulated runs: how often they are silent on healthy ones, and how soon they speak. */
import assert from 'node:assert/strict';
import { embeddedFigures, type Vector } from '../../../src/engine/math/written/embeddedQuality.ts';
import { Rng } from '../../../src/engine/random.ts';
import { WrittenGuards } from '../../../src/runs/facts/guards/writtenGuards.ts';
import type { EmbeddedQuality } from '../../../src/shared/journal/embeddedQuality.ts';
import type { EventOf } from '../../../src/shared/journal/events.ts';
import type { WrittenQuality } from '../../../src/shared/journal/quality.ts';

interface World {
  /** Different seeds, families an epoch. */
  seeds: number;
  families: number;
  /** Cosine of a task with its seed; cosine of two seeds, for what the domain's texts have in common. */
  kept: number;
  common: number;
}

const epochs = 10;
const dimensions = 48;
const variations = 2;

const unit = (values: readonly number[]): Vector => {
  const length = Math.hypot(...values);
  const vector = new Float32Array(values.length);
  for (const [i, value] of values.entries()) vector[i] = value / length;
  return vector;
};
/** A direction by chance: the sum of uniform numbers is near enough to a normal one. */
const direction = (rng: Rng): Vector =>
  unit(Array.from({ length: dimensions }, () => rng.next() + rng.next() + rng.next() + rng.next() - 2));
/** Between both, with this cosine to the first where they are orthogonal. */
function mixed(one: Vector, other: Vector, cosine: number): Vector {
  const sine = Math.sqrt(1 - cosine ** 2);
  const values: number[] = [];
  for (let i = 0; i < one.length; i++) values.push(cosine * (one[i] ?? 0) + sine * (other[i] ?? 0));
  return unit(values);
}

/** Of other words each, so that only meaning tells. */
const words: Omit<WrittenQuality, 'tasks' | 'embedded'> = {
  ...{ distinct: [1, 1, 1, 1], similarity: { mean: 0, nearest: 0 }, clusters: { count: 9, largest: 0.1, seeds: 0.1 } },
  ...{ seedDistance: { own: 1, nearest: 1 }, drift: { first: 0.1, previous: 0.1 } },
};

function event(epoch: number, tasks: number, embedded: EmbeddedQuality): EventOf<'tasks.generated'> {
  return {
    ...{ v: 1, seq: 0, at: 0, type: 'tasks.generated', epoch, families: 1, written: tasks, accepted: tasks },
    ...{ rejected: {}, tokens: 1, taskLength: 1, seconds: 1, quality: { ...words, tasks, embedded } },
  };
}

interface Course {
  /** By epoch, the share of the tasks that mean one and the same; that are of another subject. */
  collapsed?: (epoch: number) => number;
  drifted?: (epoch: number) => number;
}

/** Guards that speak, epoch by epoch. */
function said(world: World, run: number, { collapsed = () => 0, drifted = () => 0 }: Course = {}): string[] {
  const rng = Rng.from('meaning', run, world.seeds, world.families);
  const subject = direction(rng);
  const seeds = Array.from({ length: world.seeds }, () => mixed(subject, direction(rng), Math.sqrt(world.common)));
  const [theme, other] = [mixed(subject, direction(rng), Math.sqrt(world.common)), direction(rng)];
  const guards = new WrittenGuards(true);
  return Array.from({ length: epochs }, (_, i) => {
    const tasks = Array.from({ length: world.families }, () => seeds[rng.int(seeds.length)] ?? theme).flatMap((seed) =>
      Array.from({ length: variations }, () => {
        const chance = rng.next();
        if (chance < drifted(i + 1)) return { seed, vector: mixed(other, direction(rng), Math.sqrt(world.common)) };
        return { seed, vector: mixed(chance < collapsed(i + 1) ? theme : seed, direction(rng), world.kept) };
      }),
    );
    guards.add(event(i + 1, tasks.length, embeddedFigures(tasks, 'simulated')));
    return guards
      .findings()
      .flatMap((found) => found?.guard ?? [])
      .join();
  });
}

/** Many seeds or few, bold variations or timid ones, seeds much alike or not at all. */
const worlds: World[] = [16, 64].flatMap((families) =>
  [2, 32, 544].flatMap((seeds) =>
    [0.7, 0.95].flatMap((kept) => [0, 0.3, 0.6].map((common) => ({ families, seeds, kept, common }))),
  ),
);

describe('the guards by meaning', () => {
  it('are silent on healthy runs: no alarm in 144 simulated ones', function () {
    this.timeout(120_000);
    const alarms = worlds.flatMap((world) =>
      Array.from({ length: 4 }, (_, run) => said(world, run)).flatMap((all) =>
        all.some((one) => one !== '') ? [{ world, all }] : [],
      ),
    );
    assert.equal(worlds.length * 4, 144);
    assert.deepEqual(alarms, []);
  });

  it('tell a collapse after two epochs in which three quarters of the tasks mean the same, and until they do not', () => {
    const world = { families: 32, seeds: 100, kept: 0.9, common: 0.3 };
    for (let run = 0; run < 20; run++) {
      const told = said(world, run, { collapsed: (epoch) => (epoch >= 4 && epoch <= 7 ? 0.75 : 0) });
      const [c, none] = ['collapse-of-meaning', ''];
      assert.deepEqual(told, [none, none, none, none, c, c, c, none, none, none]);
    }
  });

  it('tell a drift after two epochs in which most tasks are of another subject', () => {
    for (const seeds of [4, 32, 544]) {
      for (let run = 0; run < 10; run++) {
        const world = { families: 32, seeds, kept: 0.9, common: 0.3 };
        const told = said(world, run, { drifted: (epoch) => (epoch >= 4 ? 0.8 : 0) });
        assert.deepEqual(
          told.map((guards) => guards.includes('drift-of-meaning')),
          [false, false, false, false, true, true, true, true, true, true],
        );
      }
    }
  });

  it('take tasks that were far from their seeds from the start for the domain’s way', () => {
    const world = { families: 32, seeds: 32, kept: 0.9, common: 0.3 };
    assert.ok(said(world, 0, { drifted: () => 0.9 }).every((guards) => !guards.includes('drift-of-meaning')));
  });

  it('say nothing of few tasks, of one seed, or where the server failed', () => {
    const world = { families: 7, seeds: 100, kept: 0.9, common: 0.3 };
    const all = { collapsed: () => 1 };
    assert.deepEqual(new Set(said(world, 0, all)), new Set(['']));
    assert.deepEqual(new Set(said({ ...world, families: 32, seeds: 1 }, 0, all)), new Set(['']));
    const guards = new WrittenGuards(true);
    for (let epoch = 1; epoch < 5; epoch++) guards.add(event(epoch, 64, { failure: 'It is away.' }));
    assert.ok(guards.findings().every((found) => found === null));
  });

  it('name the domain, what is seen and what to do; a collapse by words is said once', () => {
    const guards = new WrittenGuards(true);
    const figures = {
      ...{ model: 'm', distance: { mean: 0.4, nearest: 0.1 }, seedDistance: { own: 0.2, nearest: 0.2 } },
      clusters: { reach: 0.3, count: 4, largest: 0.7, seeds: 0.1 },
    };
    const quality = { ...words, tasks: 64, embedded: figures };
    const part = { families: 1, written: 64, accepted: 64, rejected: {}, taskLength: 1 };
    const healthy = { ...figures, clusters: { ...figures.clusters, largest: 0.3 } };
    for (const epoch of [1, 2]) {
      guards.add({ ...event(epoch, 128, healthy), domains: [{ domain: 'sums', ...part, quality }] });
    }
    const [found] = guards.findings().filter((one) => one !== null);
    assert.equal(
      found?.message,
      'In the domain sums: Collapse by meaning: 70 % of epoch 2’s tasks mean nearly the same, though their words and seeds differ; so it has been for 2 epochs.',
    );
    assert.match(found.remedy, /^Raise environment\.klCoefficient/);
    const both = new WrittenGuards(false);
    const alike = { ...quality, clusters: { count: 2, largest: 0.9, seeds: 0.1 } };
    for (const epoch of [1, 2]) both.add({ ...event(epoch, 64, figures), quality: alike });
    assert.deepEqual(
      both.findings().flatMap((one) => one?.guard ?? []),
      ['collapse'],
    );
  });
});
